/** Texts → vectors, by the visitor's local model (Embeddings). */
import { type EmbedKind, type EmbedReply, MAX_EMBED_TEXT_LENGTH, MAX_EMBED_TEXTS } from '@leuria/protocol/browser'
import { badAnswer, LeuriaError } from '../errors.js'
import type { EngineHttp } from './engine-http.js'
import { readEmbed } from './read-session.js'

/** A local model may have to be loaded first, and embeds 256 long texts on a small computer. */
const EMBED_LIMIT_MS = 120_000

export interface EmbedRequest {
  kind?: EmbedKind
  signal?: AbortSignal
}

/** One request after the other: the model is the visitor's own computer. */
export async function embed(http: EngineHttp, texts: readonly string[], request: EmbedRequest): Promise<EmbedReply> {
  let model: string | undefined
  const vectors: number[][] = []
  for (let start = 0; start < texts.length; start += MAX_EMBED_TEXTS) {
    const batch = await embedBatch(http, texts.slice(start, start + MAX_EMBED_TEXTS), request)
    model ??= batch.model
    if (model !== batch.model) {
      throw new LeuriaError('The local model changed. Please try again.', { code: 'model_changed' })
    }
    vectors.push(...batch.vectors)
  }
  return { model: model ?? '', vectors }
}

async function embedBatch(
  http: EngineHttp,
  texts: readonly string[],
  { kind = 'document', signal }: EmbedRequest,
): Promise<EmbedReply> {
  // The engine cuts there anyway; uncut, 256 texts could be more than a request may carry.
  const body = { texts: texts.map((text) => text.slice(0, MAX_EMBED_TEXT_LENGTH)), kind }
  const answer = readEmbed(await http.request('/embed', { body, signal, timeoutMs: EMBED_LIMIT_MS }), texts.length)
  if (answer === null) throw badAnswer()
  return answer
}
