/** An answer of a given shape: the page's `submit_result` tool gets what can be read from the text by its words alone. */
import { cutText, plainLabel } from './plain-text.js'
import { readRecord } from './read-record.js'
import { joinWords } from './say-help.js'
import type { ToolProfile } from './tool-profile.js'
import { nameWords } from './words.js'

/** The name that `@leuria/client` reserves for it. */
const SUBMIT_TOOL = 'submit_result'
/** Fields that are named as missing. */
const MAX_NAMED = 6

/** The tool with which an answer is handed in, if the page wants one. */
export function findSubmit(profiles: readonly ToolProfile[]): ToolProfile | undefined {
  return profiles.find(({ tool }) => tool.name === SUBMIT_TOOL)
}

export interface Answer {
  readonly arguments: Record<string, unknown>
  /** What to say once it is taken. */
  readonly words: string
}

export function readAnswer({ shape }: ToolProfile, text: string): Answer {
  const found = readRecord(shape, text)
  const missing = shape.properties.filter(({ name }) => !Object.hasOwn(found, name)).map(({ name }) => name)
  const names = missing.slice(0, MAX_NAMED).map((name) => cutText(plainLabel(nameWords(name).join(' ')), 60))
  const left = missing.length === 0 ? '' : ` I found nothing for ${joinWords(names)}.`
  return {
    arguments: found,
    words: `I am a demo without a model: I filled in what stands there word for word, so please look over it.${left}`,
  }
}
