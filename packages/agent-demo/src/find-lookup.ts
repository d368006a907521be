/** Which tool can tell the id of a thing that a question only names: one that only looks and needs no more than words. */
import { fillArguments } from './fill-arguments.js'
import type { Clock } from '@leuria/clock'
import type { SessionMemory } from './session-memory.js'
import { readSlots } from './slot.js'
import { isIdSlot, textKind } from './slot-kind.js'
import { isTextSlot } from './fill-text.js'
import { onlyReads, type ToolProfile } from './tool-profile.js'
import { isSameWord } from './word-match.js'

export interface Lookup {
  readonly profile: ToolProfile
  readonly arguments: Record<string, unknown>
}

interface Around {
  readonly profiles: readonly ToolProfile[]
  readonly memory: SessionMemory
  readonly clock: Clock
}

/** The best tool to ask, with its arguments, or `undefined` when none can be asked with words alone. */
export function findLookup(
  { profiles, memory, clock }: Around,
  wanting: ToolProfile,
  unknown: { subject: string; about: readonly string[] },
): Lookup | undefined {
  let best: (Lookup & { score: number }) | undefined
  for (const profile of profiles) {
    if (profile === wanting || profile.isDestructive || !onlyReads(profile)) continue
    const slots = readSlots(profile.shape)
    if (slots.some((slot) => isIdSlot(slot) && slot.isRequired)) continue
    const filled = fillArguments(profile, unknown.subject, { memory, today: clock.date() })
    if (filled.missing.length > 0) continue
    const searches = slots.some((slot) => isTextSlot(slot) && textKind(slot) === 'query')
    const isOfKind = unknown.about.some((word) => [...profile.weights.keys()].some((other) => isSameWord(word, other)))
    const score = (isOfKind ? 2 : 0) + (searches ? 1 : 0)
    if (score > 0 && (best === undefined || score > best.score)) best = { profile, arguments: filled.arguments, score }
  }
  return best
}
