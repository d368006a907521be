/**
 * The bytes of one body while it comes in. One growing block instead of a list of chunks: a client decides how small its
 * chunks are, and an object for each byte takes a hundred times the body. All open bodies share one bound on memory.
 */

/** Held for all large bodies that are still coming in: sixteen of the largest. A browser opens six connections to a host. */
export const MAX_OPEN_BODY_BYTES = 256 * 1024 * 1024
/** Up to here a body always has room, so that large ones that never end don't keep ordinary requests out. */
const SMALL_BODY_BYTES = 64 * 1024
/** What a second chunk makes room for at least. */
const MIN_BLOCK_BYTES = 4 * 1024

const NOTHING = new Uint8Array(0)

/** Of the whole process, as memory is. */
let openBytes = 0

function counted(blockBytes: number): number {
  return blockBytes > SMALL_BODY_BYTES ? blockBytes : 0
}

export class BodyBytes {
  #block: Uint8Array = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Keeps the first chunk as it is (an ordinary body has no other) and copies later ones. False: no room now, nothing taken. */
  add(chunk: Uint8Array): boolean {
    if (this.#length === 0) return this.#takeWhole(chunk)
    const length = this.#length + chunk.length
    if (length > this.#block.length && !this.#grow(Math.max(length, this.#block.length * 2, MIN_BLOCK_BYTES)))
      return false
    this.#block.set(chunk, this.#length)
    this.#length = length
    return true
  }

  /** What came so far; a view that lives on after `release`. */
  bytes(): Uint8Array {
    return this.#block.subarray(0, this.#length)
  }

  /** The body is complete or given up: its room is others' again. Call it once, last. */
  release(): void {
    openBytes -= counted(this.#block.length)
    this.#block = NOTHING
  }

  #takeWhole(chunk: Uint8Array): boolean {
    if (openBytes + counted(chunk.length) > MAX_OPEN_BODY_BYTES) return false
    openBytes += counted(chunk.length)
    this.#block = chunk
    this.#length = chunk.length
    return true
  }

  #grow(size: number): boolean {
    const more = counted(size) - counted(this.#block.length)
    if (openBytes + more > MAX_OPEN_BODY_BYTES) return false
    openBytes += more
    const block = Buffer.allocUnsafeSlow(size)
    block.set(this.bytes())
    this.#block = block
    return true
  }
}
