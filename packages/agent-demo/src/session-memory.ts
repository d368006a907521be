/**
 * What earlier calls of the session brought: the records in their results, newest list first, so that a later question
 * can point back ("the second one", "it"). Knows results only by their shape.
 */
import { isFields, isScalar, type Scalar } from './schema-shape.js'
import { nameWords, tokenise } from './words.js'
import { plainLabel } from './plain-text.js'

/** One thing that a result told about. */
export interface KnownRecord {
  /** Its own plain values, by property name. */
  readonly fields: ReadonlyMap<string, Scalar>
  /** What to call it. */
  readonly label: string
  /** Every word of its values. */
  readonly words: readonly string[]
}

/** Records that came together. */
export interface KnownList {
  readonly records: readonly KnownRecord[]
  /** Words of where they came from: the result's property and the tool's name. */
  readonly about: readonly string[]
}

export interface SessionMemory {
  /** Notes what a call brought. */
  remember(source: { toolWords: readonly string[]; value: unknown }): void
  /** Newest first. */
  lists(): readonly KnownList[]
}

/** Lists that are kept; older ones are what nobody points back to any more. */
const MAX_LISTS = 8
/** Records that are kept of one list. */
const MAX_RECORDS = 100
/** How deep results are searched. */
const MAX_DEPTH = 4

/** Properties that name a thing, best first. */
const NAMING = [
  'name',
  'title',
  'label',
  'subject',
  'headline',
  'displayname',
  'fullname',
  'summary',
  'text',
  'titel',
  'nom',
  'titre',
  'nombre',
  '名前',
  '名称',
]

export function createMemory(): SessionMemory {
  let lists: KnownList[] = []
  return {
    remember({ toolWords, value }) {
      const found = findLists(value, { about: toolWords, depth: 0 })
      lists = [...found, ...lists].slice(0, MAX_LISTS)
    },
    lists: () => lists,
  }
}

/** The plain name that a record carries, or an empty text. */
export function nameOf(fields: ReadonlyMap<string, Scalar>): string {
  const byName = new Map([...fields].map(([key, value]) => [key.toLowerCase().replace(/[_-]/gu, ''), value]))
  for (const key of NAMING) {
    const value = byName.get(key)
    if (typeof value === 'string' && value.trim() !== '') return plainLabel(value)
  }
  return ''
}

/** What to call a record: its name, else its first text, else anything it has. */
export function labelOf(fields: ReadonlyMap<string, Scalar>): string {
  const name = nameOf(fields)
  if (name !== '') return name
  const isId = (key: string): boolean => /(?:^|[_-])(?:id|uuid|guid|key)$|Id$/u.test(key)
  const first = [...fields].find(([key, value]) => typeof value === 'string' && value.trim() !== '' && !isId(key))
  const any = first ?? [...fields].find(([, value]) => value !== null)
  return any === undefined ? '' : plainLabel(String(any[1]))
}

/** The plain values of an object. */
export function plainFields(value: Readonly<Record<string, unknown>>): Map<string, Scalar> {
  return new Map(Object.entries(value).filter((entry): entry is [string, Scalar] => isScalar(entry[1])))
}

/** Arrays of objects first, the longest way down last; an object without any is a list of one. */
function findLists(value: unknown, at: { about: readonly string[]; depth: number }): KnownList[] {
  if (at.depth > MAX_DEPTH) return []
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_RECORDS).filter(isFields)
    const records = items.map(toRecord).filter(({ fields }) => fields.size > 0)
    return records.length === 0 ? [] : [{ records, about: at.about }]
  }
  if (!isFields(value)) return []
  const inner = Object.entries(value).flatMap(([key, part]) =>
    findLists(part, { about: [...nameWords(key), ...at.about], depth: at.depth + 1 }),
  )
  const own = toRecord(value)
  const hasId = [...own.fields.keys()].some((key) => /(?:^|[_-])id$|Id$/u.test(key))
  const isOnlyRecord = inner.length === 0 && own.fields.size > 0 && !Object.values(value).some(Array.isArray)
  return hasId || isOnlyRecord ? [...inner, { records: [own], about: at.about }] : inner
}

function toRecord(value: Readonly<Record<string, unknown>>): KnownRecord {
  const fields = plainFields(value)
  const texts = [
    ...fields.values(),
    ...Object.values(value).flatMap((part): unknown[] => (Array.isArray(part) ? part : [])),
  ]
  const words = texts.flatMap((text) => (typeof text === 'string' ? tokenise(text).map(({ word }) => word) : []))
  return { fields, label: labelOf(fields), words: [...new Set(words)] }
}
