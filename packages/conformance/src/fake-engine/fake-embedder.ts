/** Vectors of the kit's engine: made of the letters of a text, so that other texts have other vectors. */
import { EMBED_KINDS, embedBody, MAX_EMBED_TEXT_LENGTH } from '@leuria/protocol'
import * as z from 'zod/mini'
import type { EngineDefect } from './defects.js'

export const FAKE_EMBED_MODEL = 'letters-16'
const DIMENSIONS = 16

function vectorOf(text: string): number[] {
  const vector = Array<number>(DIMENSIONS).fill(0)
  const read = text.slice(0, MAX_EMBED_TEXT_LENGTH)
  for (let at = 0; at < read.length; at += 1) {
    const slot = (read.charCodeAt(at) * 31 + at * 7) % DIMENSIONS
    vector[slot] = (vector[slot] ?? 0) + 1
  }
  return read === '' ? vector.fill(1) : vector
}

const anyNumber = z.object({ texts: z.array(z.string()), kind: z.optional(z.enum(EMBED_KINDS)) })

/** Null: malformed. */
export function fakeEmbed(
  body: unknown,
  has: (defect: EngineDefect) => boolean,
): { model: string; vectors: number[][] } | null {
  const request = z.safeParse(has('texts_unlimited') ? anyNumber : embedBody, body)
  if (!request.success) return null
  const vectors = request.data.texts.map(vectorOf)
  return { model: FAKE_EMBED_MODEL, vectors: has('vectors_swapped') ? vectors.reverse() : vectors }
}
