/** The answer to a request for vectors, as JSON in UTF-8. Pure. */
import type { EmbeddingVector } from '@leuria/agent'

/** Each vector is copied once: as a string of several megabytes it would be copied three times on its way out. */
export function vectorsToJson(model: string, vectors: readonly EmbeddingVector[]): Uint8Array {
  const listed = vectors.flatMap(({ json }, at) => (at === 0 ? [json] : [',', json]))
  const pieces = [`{"model":${JSON.stringify(model)},"vectors":[`, ...listed, ']}']
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  return bytes
}
