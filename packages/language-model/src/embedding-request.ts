/** Texts to vectors over OpenAI's `/embeddings`, which every local service has: one request, checked to the last number. */
import { AgentError, type EmbeddingVector } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { requestDocument } from './json-request.js'

export interface EmbeddingRequest {
  /** With its version segment, without a slash at the end. */
  baseUrl: string
  model: string
  texts: readonly string[]
  /** For people: "Ollama". */
  serviceName: string
  apiKey?: string
  headers?: Readonly<Record<string, string>>
  clock: Clock
  signal: AbortSignal
  /** @default 120 s: the service may have to load the model first */
  limitMs?: number
}

/** The time for one batch, loading the model included. */
export const EMBEDDING_LIMIT_MS = 120_000

/** 256 vectors of 4,096 numbers with every digit are 24 MB. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024

/**
 * One vector for each text, in the texts' order, whatever order they came in.
 * @throws AgentError `failed` when the service refused the texts or answered with something else than one vector for each
 */
export async function requestEmbeddings(request: EmbeddingRequest): Promise<readonly EmbeddingVector[]> {
  const { baseUrl, model, texts, limitMs = EMBEDDING_LIMIT_MS, ...rest } = request
  const reply = await requestDocument({
    ...rest,
    url: `${baseUrl}/embeddings`,
    body: { model, input: texts, encoding_format: 'float' },
    model,
    limitMs,
    maxBytes: MAX_REPLY_BYTES,
  })
  if (!reply.ok) throw reply.error
  return readVectors(reply, texts.length, request.serviceName)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A list of numbers named `embedding`. Inside of a text nothing looks like this: its quotes would be escaped. */
const WRITTEN_VECTOR = /"embedding"\s*:\s*(\[[-+.\deE,\s]*\])/g

/** The vectors' own JSON, in the order of the list. `null`: what looks like them isn't as many. */
function writtenVectors(text: string, count: number): string[] | null {
  const written = Array.from(text.matchAll(WRITTEN_VECTOR), ([, list = '']) => list)
  return written.length === count ? written : null
}

function readVectors(reply: { value: unknown; text: string }, count: number, serviceName: string): EmbeddingVector[] {
  const { value, text } = reply
  const wrong = (what: string): AgentError => new AgentError('failed', `${serviceName} ${what}.`)
  const data = isRecord(value) ? value['data'] : undefined
  if (!Array.isArray(data)) throw wrong(saidInstead(value))
  if (data.length !== count) throw wrong(`gave ${data.length} vectors for ${count} texts`)
  const written = writtenVectors(text, count)
  const vectors: (EmbeddingVector | undefined)[] = Array.from({ length: count })
  for (const [at, item] of (data as unknown[]).entries()) {
    if (!isRecord(item)) throw wrong('gave something else than vectors')
    const index = item['index'] ?? at
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw wrong('numbered its vectors in a way that fits no text')
    }
    if (vectors[index] !== undefined) throw wrong('gave two vectors for one text')
    const numbers = item['embedding']
    if (!isVector(numbers))
      throw wrong(count === 1 ? 'gave no usable numbers for it' : 'gave no usable numbers for a text')
    vectors[index] = { numbers, json: written?.[at] ?? JSON.stringify(numbers) }
  }
  // As many as texts, none twice, none out of range: every place is filled.
  return vectors.filter((vector) => vector !== undefined)
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number))
}

/** Some services answer errors with status 200. */
function saidInstead(value: unknown): string {
  const error = isRecord(value) ? value['error'] : undefined
  const words = typeof error === 'string' ? error : isRecord(error) ? error['message'] : undefined
  return typeof words === 'string' && words.trim() !== ''
    ? `refused the texts: ${words.trim().slice(0, 300)}`
    : 'answered with something else than vectors'
}
