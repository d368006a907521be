/** Turns the checking library's findings into a few lines that an AI can act on. */
import type { OutputUnit } from '@cfworker/json-schema'

/** More would only repeat: the AI corrects these and tries again. */
const MAX_FAULTS = 6
/** Longest line, in characters; an `enum` may be long. */
const MAX_LINE_LENGTH = 400

/** Findings that only say that something inside doesn't fit; the inside is listed too. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  '$ref',
  'allOf',
  'if',
  'dependentSchemas',
  'false',
])

/** The library's sentence → ours, where an AI reads ours better. */
const WORDS: Readonly<Record<string, readonly [pattern: RegExp, words: string]>> = {
  type: [/^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/, 'must be "$2", not "$1"'],
  required: [/^Instance does not have required property "(.*)"\.$/, '"$1" is missing'],
  additionalProperties: [/^Property "(.*)" does not match .*$/, '"$1" is not a known property, or has a wrong value'],
  unevaluatedProperties: [/^Property "(.*)" does not match .*$/, '"$1" is not a known property, or has a wrong value'],
  enum: [/^Instance does not match any of (.*)\.$/, 'must be one of $1'],
  const: [/^Instance does not match (.*)\.$/, 'must be $1'],
  anyOf: [/^.*$/, 'fits none of the allowed forms'],
  oneOf: [/^.*\((\d+) matches\).*$/, 'must fit exactly one of the allowed forms ($1 fit)'],
}

/** `filters.price[0]: must be "number", not "string"; query: …` */
export function listFaults(errors: readonly OutputUnit[]): string {
  const told = errors.filter(({ keyword }) => !WRAPPERS.has(keyword))
  const lines = [...new Set((told.length === 0 ? errors : told).map(formatFault))]
  const more = lines.length - MAX_FAULTS
  return lines.slice(0, MAX_FAULTS).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

function formatFault({ instanceLocation, keyword, error }: OutputUnit): string {
  const path = formatPath(instanceLocation)
  const [pattern, words] = (Object.hasOwn(WORDS, keyword) ? WORDS[keyword] : undefined) ?? [/\.$/, '']
  return `${path === '' ? '' : `${path}: `}${error.replace(pattern, words)}`.slice(0, MAX_LINE_LENGTH)
}

/** `#/filters/price/0` → `filters.price[0]` */
function formatPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, at) => (/^\d+$/.test(part) ? `[${part}]` : `${at === 0 ? '' : '.'}${part}`))
    .join('')
}
