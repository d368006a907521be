/** A client that embeds by counting words: texts that share words are near. It can be held up, fail, change its model, go. */
import type { EmbeddingClient } from './embedding-client.js'

const DIMENSIONS = 64

/** Each word has a place, by its letters. */
export function wordVector(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let place = 7
    for (const letter of word) place = (place * 31 + letter.charCodeAt(0)) % DIMENSIONS
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

export class FakeEmbedder implements EmbeddingClient {
  /** The documents that were embedded, batch by batch. */
  readonly batches: string[][] = []
  readonly queries: string[] = []
  /** What the next calls fail with. */
  failures: Error[] = []
  /** Answers instead of the right vectors. */
  vectorsOf: (texts: readonly string[]) => number[][] = (texts) => texts.map(wordVector)
  /** Awaited before each answer. */
  gate: () => Promise<void> = () => Promise.resolve()
  /** What it calls itself in `getState`; null: nobody embeds. */
  model: string | null
  /** What answers say, if not `model`. */
  replies: string | null = null
  readonly #listeners = new Set<() => void>()

  constructor(model: string | null = 'model-a') {
    this.model = model
  }

  get embedded(): string[] {
    return this.batches.flat()
  }

  getState(): { embedder: { embedModel?: string } | null } {
    return { embedder: this.model === null ? null : { embedModel: this.model || undefined } }
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Another model, or nobody. */
  become(model: string | null): void {
    this.model = model
    this.tell()
  }

  tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  async embed(texts: string[], { kind, signal }: { kind: 'document' | 'query'; signal?: AbortSignal }) {
    if (kind === 'document') this.batches.push([...texts])
    else this.queries.push(...texts)
    await this.#held(signal)
    signal?.throwIfAborted()
    const failure = this.failures.shift()
    if (failure) throw failure
    if (this.model === null) throw new Error('Nobody embeds.')
    return { vectors: this.vectorsOf(texts), model: this.replies ?? (this.model || 'model-a') }
  }

  /** Waits for the gate, or until nobody waits for the answer. */
  #held(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        reject(new DOMException('Aborted.', 'AbortError'))
      }
      signal?.addEventListener('abort', abort)
      void this.gate().then(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
    })
  }
}
