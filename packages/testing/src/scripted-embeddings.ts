/** OpenAI's `/embeddings` as local services answer it: vectors a test can recompute, and the ways in which they go wrong. */
import type { NativeReply, NativeRequest } from './scripted-model-server.js'

/** Every switch, and what it does to the answer. */
export const EMBEDDING_QUIRKS = {
  reversed: 'vectors come last first, numbered',
  no_index: 'vectors are not numbered',
  one_missing: 'one vector too few',
  null_numbers: 'a vector holds null (what llama.cpp makes of NaN)',
  error_in_200: 'an error with status 200',
  not_json: 'a page instead of JSON',
  fail_all: 'status 500 for every request',
  drop: 'the connection is cut',
  stall: 'no answer, the connection stays open',
} as const satisfies Record<string, string>
export type EmbeddingQuirk = keyof typeof EMBEDDING_QUIRKS

export interface EmbeddingRequestBody {
  model: string
  input: string[]
}

/** The vector of a text: the same for the same text, different for most others. */
export function vectorOf(text: string): number[] {
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 10_007
  return [text.length, sum, sum / 10_007]
}

/** One service's embeddings: what it was asked, and how it behaves. */
export class ScriptedEmbeddings {
  readonly requests: EmbeddingRequestBody[] = []
  /** Requests whose caller hung up before they were answered. */
  hungUp = 0
  /** May be changed between requests. */
  quirks: Partial<Record<EmbeddingQuirk, boolean>>
  /** Batches that hold one of these texts (as sent, prefix included) get status 400, as a text too long for the model does. */
  failOn: readonly string[] = []
  /** How a text becomes a vector; may be changed between requests. */
  vectorFor: (text: string) => number[] = vectorOf
  readonly #waiting: { count: number; resolve: () => void }[] = []

  constructor(
    /** `null`: any model will do. */
    private readonly models: () => readonly string[] | null,
    quirks: Partial<Record<EmbeddingQuirk, boolean>> = {},
  ) {
    this.quirks = quirks
  }

  /** Resolves when request number `count` (1-based) is here. */
  requested(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ count, resolve }))
  }

  answer({ body, closed }: NativeRequest): NativeReply {
    const { model, input } = body as EmbeddingRequestBody
    this.requests.push({ model, input })
    for (const { count, resolve } of this.#waiting) if (this.requests.length >= count) resolve()
    if (this.models()?.includes(model) === false) {
      return { status: 404, body: { error: { message: `model "${model}" not found, try pulling it first` } } }
    }
    if (this.quirks.drop === true) return 'drop'
    if (this.quirks.stall === true) {
      void closed.then(() => (this.hungUp += 1))
      return 'stall'
    }
    if (this.quirks.fail_all === true) return { status: 500, body: { error: { message: 'out of memory' } } }
    if (this.quirks.error_in_200 === true) return { body: { error: 'the model was unloaded' } }
    if (this.quirks.not_json === true) return { body: '<html>' }
    if (input.some((text) => this.failOn.includes(text))) {
      return { status: 400, body: { error: { message: 'the input is too hard for this model' } } }
    }
    return { body: { object: 'list', model, data: this.#vectors(input) } }
  }

  #vectors(input: readonly string[]): unknown[] {
    const data = input.map((text, index) => ({
      object: 'embedding',
      ...(this.quirks.no_index === true ? {} : { index }),
      embedding: this.quirks.null_numbers === true ? [null, 1, 2] : this.vectorFor(text),
    }))
    if (this.quirks.one_missing === true) data.pop()
    return this.quirks.reversed === true ? data.reverse() : data
  }
}
