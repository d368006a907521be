/** A page's tool as words: what it is called, what it does, what it takes. Made anew each turn: pages change their tools. */
import type { PageTool } from '@leuria/agent'
import { isFields, readInputShape, type ObjectShape, type Shape } from './schema-shape.js'
import { actionOf, isStopWord, type Action } from './word-lists.js'
import { nameWords, tokenise } from './words.js'
import { plainLabel } from './plain-text.js'
import { readSlots } from './slot.js'
import { textKind } from './slot-kind.js'

export interface ToolProfile {
  readonly tool: PageTool
  readonly shape: ObjectShape
  /** The name as a person would say it: "list open tickets". */
  readonly title: string
  readonly nameWords: readonly string[]
  /** Word → how much it says about the tool. */
  readonly weights: ReadonlyMap<string, number>
  readonly action: Action | undefined
  /** It needs free words, such as a search. */
  readonly takesWords: boolean
  /** The page says that a call can't be undone, or the name does. */
  readonly isDestructive: boolean
}

/** How much a word says, by where it stands. */
export const WEIGHT = { name: 3, title: 2.5, choice: 1.6, property: 1.4, description: 1 } as const

/** Most tools that are looked at in one turn. */
const MAX_TOOLS = 500

export function profileTools(tools: readonly PageTool[]): ToolProfile[] {
  return tools.slice(0, MAX_TOOLS).map(profileTool)
}

function profileTool(tool: PageTool): ToolProfile {
  const shape = readInputShape(tool.inputSchema)
  const words = nameWords(tool.name)
  const description = tokenise(tool.description).map((token) => token.word)
  const givenTitle = tool.annotations?.title
  const titleWords = typeof givenTitle === 'string' ? tokenise(givenTitle).map((token) => token.word) : []
  const weights = new Map<string, number>()
  const note = (word: string, weight: number): void => {
    if (!isStopWord(word) || weight === WEIGHT.name) weights.set(word, Math.max(weight, weights.get(word) ?? 0))
  }
  for (const word of description) note(word, WEIGHT.description)
  for (const [word, weight] of shapeWords(shape)) note(word, weight)
  for (const word of titleWords) note(word, WEIGHT.title)
  for (const word of words) note(word, WEIGHT.name)
  const action = firstAction(words) ?? firstAction(titleWords) ?? firstAction(description.slice(0, 6))
  return {
    tool,
    shape,
    title: titleOf(tool.name, words),
    nameWords: words,
    weights,
    action,
    takesWords: readSlots(shape).some(
      (slot) => slot.isRequired && slot.shape.kind === 'string' && textKind(slot) === 'query',
    ),
    isDestructive: tool.annotations?.destructiveHint === true || action === 'remove',
  }
}

function titleOf(name: string, words: readonly string[]): string {
  const spoken = plainLabel(words.join(' '))
  return spoken === '' ? plainLabel(name) || 'a tool without a name' : spoken
}

function firstAction(words: readonly string[]): Action | undefined {
  return words.map(actionOf).find((action) => action !== undefined)
}

/** Words of property names, descriptions and choices, down to the leaves. */
function shapeWords(shape: Shape): [string, number][] {
  switch (shape.kind) {
    case 'object':
      return shape.properties.flatMap((property) => [
        ...nameWords(property.name).map((word): [string, number] => [word, WEIGHT.property]),
        ...aboutWords(property.shape),
        ...shapeWords(property.shape),
      ])
    case 'array':
      return [...aboutWords(shape.items), ...shapeWords(shape.items)]
    case 'choice':
      return shape.values.flatMap((value) =>
        typeof value === 'string' ? nameWords(value).map((word): [string, number] => [word, WEIGHT.choice]) : [],
      )
    default:
      return []
  }
}

function aboutWords(shape: Shape): [string, number][] {
  return tokenise(shape.about).map((token) => [token.word, WEIGHT.description * 0.6])
}

/** True for a tool that only looks, by what its page says or by its name. */
export function onlyReads(profile: ToolProfile): boolean {
  return isFields(profile.tool.annotations) && profile.tool.annotations.readOnlyHint === true
    ? true
    : profile.action === 'read'
}
