/** Narrowing of values from outside: the few questions that every reader of engine data asks. */

export type Fields = Readonly<Record<string, unknown>>

/** True for objects that may have named fields; arrays aren't meant. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object, or none: what isn't an object reads as one without fields. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The value itself when it is a text. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Parses JSON. `undefined`: it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
