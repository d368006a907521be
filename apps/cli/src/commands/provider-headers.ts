/** Headers for a service, as typed: `"Name: value"`. Values may be secret: no message repeats one. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { UserError } from '../fail.js'

/** What a request is made of; a service that gets another value can't be spoken to. */
const RESERVED: ReadonlySet<string> = new Set(
  'connection content-length content-type expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
)

function readHeader(text: string): [name: string, value: string] {
  const colon = text.indexOf(':')
  if (colon < 1) throw new UserError('Write a header as "Name: value".')
  const name = text.slice(0, colon).trim().toLowerCase()
  const value = text.slice(colon + 1).trim()
  try {
    validateHeaderName(name)
  } catch (cause) {
    throw new UserError(`"${name}" can't be the name of a header.`, { cause })
  }
  if (RESERVED.has(name)) throw new UserError(`The header ${name} can't be chosen.`)
  try {
    validateHeaderValue(name, value)
  } catch {
    // Its message would hold the value.
    throw new UserError(`The value of the header ${name} has characters that no header has.`)
  }
  if (value === '') throw new UserError(`The header ${name} has no value.`)
  return [name, value]
}

/** By their names in lower case; the last of a name counts. @throws UserError for what is no header */
export function readHeaders(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map(readHeader))
}
