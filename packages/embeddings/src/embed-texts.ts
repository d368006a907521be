/**
 * Texts to vectors with one model, batch by batch. When a batch is refused, it is halved until the text that was the
 * reason stands alone: one text too hard for a model must be named, not guessed.
 */
import { AgentError, type EmbeddingDoor, type EmbeddingVector } from '@leuria/agent'
import { type Batch, batchesOf } from './batches.js'

export interface EmbedJob {
  door: EmbeddingDoor
  model: string
  /** As they are sent. */
  texts: readonly string[]
  signal: AbortSignal
}

/** A text that this model does not take, while it takes others. */
export class TextRefused extends Error {
  override readonly name = 'TextRefused'
  /** @param at its place, from 0 */
  constructor(
    readonly at: number,
    options: { cause: AgentError },
  ) {
    super(options.cause.message, options)
  }
}

type Vectors = readonly EmbeddingVector[]

/** In the texts' order. @throws TextRefused; AgentError when the service can't do it at all */
export async function embedTexts(job: EmbedJob): Promise<Vectors> {
  const vectors: EmbeddingVector[] = []
  for (const batch of batchesOf(job.texts, job.door))
    vectors.push(...(await embedBatch(job, batch, vectors.length > 0)))
  if (new Set(vectors.map(({ numbers }) => numbers.length)).size > 1) {
    throw new AgentError('failed', 'The model gave vectors of different lengths.')
  }
  return vectors
}

/** @param worked the model took other texts of this request */
async function embedBatch(job: EmbedJob, batch: Batch, worked: boolean): Promise<Vectors> {
  const { from, to } = batch
  try {
    return await job.door.embed({ model: job.model, texts: job.texts.slice(from, to) }, job.signal)
  } catch (error) {
    if (job.signal.aborted || !isAboutTexts(error)) throw error
    if (to - from === 1) throw (await takesAnother(job, from, worked)) ? new TextRefused(from, { cause: error }) : error
    const middle = Math.floor((from + to) / 2)
    const first = await embedBatch(job, { from, to: middle }, worked)
    const second = await embedBatch(job, { from: middle, to }, true)
    return [...first, ...second]
  }
}

/** The service took the request and refused what was in it; everything else is about the service. */
function isAboutTexts(error: unknown): error is AgentError {
  return error instanceof AgentError && (error.code === 'failed' || error.code === 'too_long')
}

/** A model that takes no text at all isn't this text's fault. With a single text there is nothing to compare: it is named. */
async function takesAnother(job: EmbedJob, at: number, worked: boolean): Promise<boolean> {
  const other = job.texts[at + 1]
  if (worked || job.texts.length === 1 || other === undefined) return worked
  try {
    await job.door.embed({ model: job.model, texts: [other] }, job.signal)
    return true
  } catch {
    return false
  }
}
