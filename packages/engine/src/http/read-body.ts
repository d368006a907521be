/**
 * Reads a request's body within bounds, and reads past what is too much so that the answer arrives:
 * a client that is still writing when its socket closes sees a reset instead of the 413.
 */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@leuria/clock'
import { EngineError, hasMoreParts, INVALID_JSON_BODY, MAX_BODY_BYTES } from '@leuria/protocol'
import { BodyBytes } from './body-bytes.js'

/** Most bytes that are read and dropped of a body that is too long; a client that sends more is cut off. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024
/** Longest time spent on dropping: loopback moves 64 MB in well under a second. */
const DROP_LIMIT_MS = 10_000
/** Objects and lists in one body; the page's own have some hundreds at most. Parsing so many takes a few dozen ms. */
const MAX_JSON_PARTS = 50_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads on and forgets, until the body ends or a bound is passed. */
function drop(request: IncomingMessage, clock: Clock, alreadyRead: number): Promise<void> {
  return new Promise((resolve) => {
    let bytes = alreadyRead
    const finish = (): void => {
      cancel()
      request.off('data', count).off('end', finish).off('close', finish).off('error', finish)
      resolve()
    }
    const count = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > MAX_DROPPED_BYTES) finish()
    }
    const cancel = clock.setTimer(DROP_LIMIT_MS, finish)
    request.on('data', count).on('end', finish).on('close', finish).on('error', finish)
    request.resume()
  })
}

/** The bytes of a body of at most `MAX_BODY_BYTES`; otherwise the rest is dropped, and why it wasn't taken is told. */
function collect(request: IncomingMessage, clock: Clock): Promise<Uint8Array | 'too_large' | 'no_room'> {
  return new Promise((resolve, reject) => {
    const body = new BodyBytes()
    const stop = (): void => {
      request.off('data', take).off('end', end).off('close', vanish).off('error', vanish)
      body.release()
    }
    const take = (chunk: Buffer): void => {
      const fits = body.length + chunk.length <= MAX_BODY_BYTES
      if (fits && body.add(chunk)) return
      stop()
      void drop(request, clock, body.length + chunk.length).then(() => {
        resolve(fits ? 'no_room' : 'too_large')
      })
    }
    const end = (): void => {
      resolve(body.bytes())
      stop()
    }
    const vanish = (): void => {
      stop()
      reject(new EngineError('bad_request', 'The request ended before its body did.'))
    }
    request.on('data', take).on('end', end).on('close', vanish).on('error', vanish)
  })
}

/**
 * The body as text, at most 16 MB (Conventions, Bodies).
 * @throws EngineError `too_large`, after the rest was read; `too_many` while others' bodies take all the room;
 * `bad_request` for bytes that aren't UTF-8 or a body cut short.
 */
export async function readText(request: IncomingMessage, clock: Clock): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    await drop(request, clock, 0)
    throw new EngineError('too_large', 'The request body is larger than 16 MB.')
  }
  const bytes = await collect(request, clock)
  if (bytes === 'too_large') throw new EngineError('too_large', 'The request body is larger than 16 MB.')
  if (bytes === 'no_room')
    throw new EngineError('too_many', 'Too many large requests are being sent at once.', { retryAfterS: 1 })
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new EngineError('bad_request', INVALID_JSON_BODY, { cause })
  }
}

/**
 * The body as JSON; an empty one counts as `{}`.
 * @throws EngineError `bad_request` for invalid JSON or more than `MAX_JSON_PARTS`, and as `readText`
 */
export async function readJson(request: IncomingMessage, clock: Clock): Promise<unknown> {
  const text = await readText(request, clock)
  if (text.trim() === '') return {}
  if (hasMoreParts(text, MAX_JSON_PARTS))
    throw new EngineError('bad_request', `The body has more than ${MAX_JSON_PARTS} objects and lists.`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EngineError('bad_request', INVALID_JSON_BODY, { cause })
  }
}
