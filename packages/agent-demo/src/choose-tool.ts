/** Which tool a question means: by shared words, how rare each is among the tools, and what both want done. */
import { bestLikeness, SAME_STEM, wordLikeness } from './word-match.js'
import type { Question } from './question.js'
import { actionOf, isStopWord, type Action } from './word-lists.js'
import { onlyReads, type ToolProfile } from './tool-profile.js'

export interface Choice {
  readonly profile: ToolProfile
  readonly score: number
}

/** Below this the words say too little: better to tell what can be asked than to call something by chance. */
const MIN_SCORE = 0.8

/** A shared verb, also as a synonym ("look for" and "search"). */
const SAME_ACTION_BONUS = 1.2
/** Looking is what a question without a verb wants, and it changes nothing. */
const READ_BONUS = 0.5
/** The question wants something done, the tool only looks. The other way round nothing is called at all. */
const ONLY_LOOKS_FACTOR = 0.3
/** Actions that people mix up. */
const NEAR_ACTIONS: readonly (readonly [Action, Action])[] = [
  ['create', 'change'],
  ['create', 'send'],
  ['create', 'confirm'],
  ['send', 'confirm'],
  ['change', 'start'],
  ['change', 'stop'],
  ['read', 'compute'],
  ['remove', 'stop'],
  ['start', 'read'],
]
const NEAR_ACTION_FACTOR = 0.8

/** The best tool for the question, or `undefined` when none fits. Ties go to the one that only looks, then to the first. */
export function chooseTool(question: Question, profiles: readonly ToolProfile[]): Choice | undefined {
  const words = subjectWords(question)
  const rarity = new Map(words.map(({ word }) => [word, rarityOf(word, profiles)]))
  let best: Choice | undefined
  for (const profile of profiles) {
    const shared = words.reduce((sum, word) => sum + wordScore(word, profile) * (rarity.get(word.word) ?? 0), 0)
    const score = weighAction(shared, question, profile)
    const isBetter =
      best === undefined ||
      score > best.score ||
      (score === best.score && onlyReads(profile) && !onlyReads(best.profile))
    if (score >= MIN_SCORE && isBetter) best = { profile, score }
  }
  return best
}

/** The question's words that can point to a tool, each once. */
function subjectWords(question: Question): SubjectWord[] {
  const { intent } = question
  const words = new Map<string, boolean>()
  for (const [index, { word }] of question.tokens.entries()) {
    if (!isStopWord(word)) words.set(word, 'action' in intent && intent.token === index)
  }
  return [...words].map(([word, isVerb]) => ({ word, isVerb }))
}

interface SubjectWord {
  readonly word: string
  /** It says what is to be done. Descriptions are full of verbs, so it counts by a tool's name alone. */
  readonly isVerb: boolean
}

function wordScore({ word, isVerb }: SubjectWord, profile: ToolProfile): number {
  let best = 0
  for (const [other, weight] of profile.weights) {
    if (weight <= best || (isVerb && !profile.nameWords.includes(other))) continue
    best = Math.max(best, wordLikeness(word, other) * weight)
  }
  return best
}

/** From 1 (one tool has the word) down: a word that every tool has says little about which. */
function rarityOf(word: string, profiles: readonly ToolProfile[]): number {
  const having = profiles.filter((profile) => bestLikeness(word, profile.weights.keys()) >= SAME_STEM).length
  return Math.log2(1 + profiles.length / Math.max(1, having)) / Math.log2(1 + profiles.length)
}

function weighAction(shared: number, question: Question, profile: ToolProfile): number {
  const { intent } = question
  if (!('action' in intent)) {
    if (shared === 0) return 0
    return onlyReads(profile) ? shared + READ_BONUS : intent.asks ? shared * NEAR_ACTION_FACTOR : shared
  }
  // A verb alone says little when several tools do the same, unless the tool takes whatever words there are.
  if (profile.action === intent.action) {
    const canTake = shared > 0 || (profile.takesWords && subjectWords(question).some(({ isVerb }) => !isVerb))
    return shared + (canTake ? SAME_ACTION_BONUS : SAME_ACTION_BONUS / 2)
  }
  if (profile.action === undefined || namesAction(question, profile)) return shared
  const isNear = NEAR_ACTIONS.some(
    (pair) => pair.includes(intent.action) && pair.includes(profile.action ?? intent.action),
  )
  if (isNear) return shared * NEAR_ACTION_FACTOR
  return onlyReads(profile) ? shared * ONLY_LOOKS_FACTOR : 0
}

/** The question says the very verb of the tool's name somewhere, whatever it begins with. */
function namesAction(question: Question, profile: ToolProfile): boolean {
  const verb = profile.nameWords.find((word) => actionOf(word) === profile.action)
  return verb !== undefined && question.tokens.some((token) => wordLikeness(token.word, verb) >= SAME_STEM)
}
