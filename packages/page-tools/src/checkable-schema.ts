/**
 * A page's schema copied into a form that is safe to check with: only known keywords, each of the right shape,
 * each visit counted. The library reads a schema's keywords every time it visits it; so a getter sees every step.
 */
import type { CheckEffort } from './check-effort.js'
import { measureJson } from './json-extent.js'
import { patternSteps } from './pattern-cost.js'
import { isJsonObject } from './plain-object.js'
import { isPlainKind, type KeywordKind, KEYWORDS, PLAIN_KINDS } from './schema-keywords.js'

export type CheckableSchema = Record<string, unknown>

/** Thrown for the first thing that is wrong; the message is for the page's developer. */
export class BrokenSchema extends Error {
  override readonly name = 'BrokenSchema'
}

/** Most schemas inside one schema. */
const MAX_SUBSCHEMAS = 5_000
/** Values of lists (`enum`, `required`) that cost as much as visiting one schema. */
const LIST_ITEMS_PER_STEP = 8

/** Copies a schema. @throws BrokenSchema */
export function checkableSchema(schema: unknown, effort: CheckEffort): CheckableSchema | boolean {
  return new SchemaCopier(effort).copy(schema, '')
}

class SchemaCopier {
  readonly #effort: CheckEffort
  #count = 0

  constructor(effort: CheckEffort) {
    this.#effort = effort
  }

  copy(schema: unknown, path: string): CheckableSchema | boolean {
    if (typeof schema === 'boolean') return schema
    if (!isJsonObject(schema)) throw new BrokenSchema(`${place(path)} must be an object`)
    this.#count += 1
    if (this.#count > MAX_SUBSCHEMAS) throw new BrokenSchema(`it has more than ${MAX_SUBSCHEMAS} parts`)
    const copy: CheckableSchema = {}
    let weight = 1
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined
      if (kind === undefined || value === undefined) continue
      this.#copyKeyword(copy, { keyword, kind, value, path: `${path}/${keyword}` })
      weight += weightOf(value)
    }
    const steps = weight
    // `$recursiveAnchor` is read at each visit and means nothing here: the place to count from.
    defineGetter(copy, '$recursiveAnchor', { enumerable: false, get: () => void this.#effort.spend(steps) })
    return copy
  }

  #copyKeyword(copy: CheckableSchema, part: KeywordPart): void {
    const { keyword, kind, value, path } = part
    if (kind === 'pattern') this.#copyPattern(copy, part)
    else if (keyword === 'patternProperties') this.#copyPatternProperties(copy, part)
    else if (keyword === 'uniqueItems' && value === true)
      defineGetter(copy, keyword, { get: () => this.#effort.allowsUniqueItems() })
    else if (!isPlainKind(kind)) copy[keyword] = this.#copyNested(kind, value, path)
    else if (PLAIN_KINDS[kind](value)) copy[keyword] = value
    else throw new BrokenSchema(`${place(path)} must be ${KIND_WORDS[kind]}`)
  }

  #copyNested(kind: KeywordKind, value: unknown, path: string): unknown {
    if (kind === 'schema') return this.copy(value, path)
    if (Array.isArray(value) && kind !== 'schema map' && kind !== 'dependencies')
      return value.map((each: unknown, at) => this.copy(each, `${path}/${at}`))
    if (kind === 'schema or schemas') return this.copy(value, path)
    if (kind === 'schemas') throw new BrokenSchema(`${place(path)} must be a list of schemas`)
    return this.#copyMap(value, path, kind === 'dependencies')
  }

  #copyMap(value: unknown, path: string, listsAllowed: boolean): CheckableSchema {
    if (!isJsonObject(value)) throw new BrokenSchema(`${place(path)} must be an object of schemas`)
    const copy: CheckableSchema = {}
    for (const [name, each] of Object.entries(value)) {
      const keep = listsAllowed && PLAIN_KINDS.texts(each) ? each : this.copy(each, `${path}/${name}`)
      // Not an assignment: a property may be called `__proto__`.
      Object.defineProperty(copy, name, { value: keep, enumerable: true, configurable: true, writable: true })
    }
    return copy
  }

  #copyPattern(copy: CheckableSchema, { keyword, value, path }: KeywordPart): void {
    const steps = readPattern(value, path)
    defineGetter(copy, keyword, { get: () => (this.#effort.allows(steps, () => 1) ? value : undefined) })
  }

  #copyPatternProperties(copy: CheckableSchema, { keyword, value, path }: KeywordPart): void {
    const map = this.#copyMap(value, path, false)
    const all = Object.keys(map).map((pattern) => readPattern(pattern, path))
    const steps = (length: number): number => all.reduce((sum, each) => sum + each(length), 0)
    defineGetter(copy, keyword, {
      get: () => (this.#effort.allows(steps, ({ widest }) => widest) ? map : undefined),
    })
  }
}

interface KeywordPart {
  keyword: string
  kind: KeywordKind
  value: unknown
  path: string
}

function readPattern(value: unknown, path: string): (textLength: number) => number {
  const steps = typeof value === 'string' ? patternSteps(value) : null
  if (steps === null) throw new BrokenSchema(`${place(path)} must hold a regular expression (with the u flag)`)
  return steps
}

function defineGetter(target: object, name: string, getter: { enumerable?: boolean; get(): unknown }): void {
  Object.defineProperty(target, name, { enumerable: true, configurable: true, ...getter })
}

/** Lists and compared values are walked at a visit too. */
function weightOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const { nodes } = Array.isArray(value) ? measureJson(value, UNBOUNDED) : { nodes: Object.keys(value).length }
  return Math.floor(nodes / LIST_ITEMS_PER_STEP)
}

/** The declaration's own size was bounded before. */
const UNBOUNDED = { maxDepth: Infinity, maxLength: Infinity }

function place(path: string): string {
  return path === '' ? 'the schema' : path.slice(0, 200)
}

const KIND_WORDS: Readonly<Record<keyof typeof PLAIN_KINDS, string>> = {
  type: 'the name of a type, or a list of such names',
  text: 'a text',
  texts: 'a list of texts',
  'text lists': 'an object of lists of texts',
  list: 'a list',
  any: 'a value',
  number: 'a number',
  'number or flag': 'a number',
  count: 'a whole number from 0',
  flag: 'true or false',
}
