/** A question that wants two things done, taken apart: "find … and add it to …". */
import { chooseTool } from './choose-tool.js'
import { readQuestion } from './question.js'
import type { ToolProfile } from './tool-profile.js'
import { actionOf } from './word-lists.js'
import { tokenise } from './words.js'

/** Most things done in one turn. */
const MAX_CLAUSES = 3
/** A later part must point to its tool this clearly, or it belongs to the text before it. */
const MIN_CLAUSE_SCORE = 2

const JOINERS = new Set('and then und dann et puis y luego also after afterwards danach ensuite'.split(' '))

/** The parts that each mean another tool, in the question's sequence; mostly one. */
export function splitClauses(text: string, profiles: readonly ToolProfile[]): string[] {
  const clauses: string[] = []
  for (const part of candidates(text)) {
    const last = clauses.at(-1)
    if (last === undefined) clauses.push(part)
    else if (clauses.length < MAX_CLAUSES && meansAnother(last, part, profiles)) clauses.push(part)
    else clauses.splice(-1, 1, last + part)
  }
  return clauses
}

function meansAnother(before: string, part: string, profiles: readonly ToolProfile[]): boolean {
  const own = chooseTool(readQuestion(part), profiles)
  const previous = chooseTool(readQuestion(before), profiles)
  return (
    own !== undefined && previous !== undefined && own.score >= MIN_CLAUSE_SCORE && own.profile !== previous.profile
  )
}

/** Cuts before each "and", "then" or new sentence that a verb follows. Nothing is lost: the parts joined are the text. */
function candidates(text: string): string[] {
  const tokens = tokenise(text)
  const cuts: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (index === 0 || actionOf(token.word) === undefined) continue
    let first = index
    while (first > 0 && JOINERS.has(tokens[first - 1]?.word ?? '')) first -= 1
    const before = tokens[first - 1]
    const start = tokens[first]?.start ?? 0
    const endsSentence = before !== undefined && /[.;!?\n。]/u.test(text.slice(before.end, start))
    if (before !== undefined && (first < index || endsSentence)) cuts.push(start)
  }
  const borders = [0, ...cuts, text.length]
  return borders
    .slice(1)
    .map((end, index) => text.slice(borders[index], end))
    .filter((part) => part !== '')
}
