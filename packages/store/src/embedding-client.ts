/** What an index needs of the client that turns texts into vectors; `createLeuria` of `@leuria/client` has all of it. */
export interface EmbeddingClient {
  /** One vector for each text, in order, and the model that made them. */
  embed(
    texts: string[],
    options: { kind: 'document' | 'query'; signal?: AbortSignal },
  ): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly model: string }>
  /** `embedder`: who would do it now; `null`: nobody. Its model may be unknown. */
  getState(): { readonly embedder: { readonly embedModel?: string } | null }
  subscribe(listener: () => void): () => void
}
