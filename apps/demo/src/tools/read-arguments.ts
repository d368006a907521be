/** Arguments of tool calls come from an AI: read like any other outside data, with words that an AI can act on. */

type Fields = Readonly<Record<string, unknown>>

export function readFields(args: unknown): Fields {
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Fields
  if (args === undefined || args === null) return {}
  throw new Error('The arguments must be an object.')
}

/** A text, or `undefined` when it isn't given. @throws when it is something else */
export function readText(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new Error(`"${name}" must be a text.`)
  return value
}

/** A number, or `undefined` when it isn't given. @throws when it is something else */
export function readNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`"${name}" must be a number.`)
  return value
}

/** One of the given words, or `undefined` when it isn't given. @throws when it is another */
export function readChoice<T extends string>(fields: Fields, name: string, choices: readonly T[]): T | undefined {
  const value = readText(fields, name)
  if (value === undefined) return undefined
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw new Error(`"${name}" must be one of: ${choices.join(', ')}.`)
  return choice
}
