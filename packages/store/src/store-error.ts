/** What goes wrong here. `message` is plain words that a visitor may read; `code` is what to branch on. */

/** `bad_documents`: an id is missing or there twice. `bad_vectors`: the embedder gave something else than one vector each. */
export type StoreErrorCode = 'bad_documents' | 'bad_vectors' | 'unknown_document' | 'destroyed'

export class StoreError extends Error {
  override name = 'StoreError'

  constructor(
    readonly code: StoreErrorCode,
    message: string,
  ) {
    super(message)
  }
}
