/**
 * Reads a request's body within bounds, and reads past what is too much so that the answer arrives:
 * a client that is still writing when its socket closes sees a reset instead of the 413.
 */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@leuria/clock'
import { EngineError, INVALID_JSON_BODY, MAX_BODY_BYTES } from '@leuria/protocol'

/** Most bytes that are read and dropped of a body that is too long; a client that sends more is cut off. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024
/** Longest time spent on dropping: loopback moves 64 MB in well under a second. */
const DROP_LIMIT_MS = 10_000

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

/** The chunks of a body of at most `MAX_BODY_BYTES`; `null`: there was more, and it was dropped. */
function collect(request: IncomingMessage, clock: Clock): Promise<Buffer[] | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const stop = (): void => {
      request.off('data', take).off('end', end).off('close', vanish).off('error', vanish)
    }
    const take = (chunk: Buffer): void => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes <= MAX_BODY_BYTES) return
      stop()
      void drop(request, clock, bytes).then(() => {
        resolve(null)
      })
    }
    const end = (): void => {
      stop()
      resolve(chunks)
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
 * @throws EngineError `too_large`, after the rest was read; `bad_request` for bytes that aren't UTF-8 or a body cut short.
 */
export async function readText(request: IncomingMessage, clock: Clock): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    await drop(request, clock, 0)
    throw new EngineError('too_large', 'The request body is larger than 16 MB.')
  }
  const chunks = await collect(request, clock)
  if (chunks === null) throw new EngineError('too_large', 'The request body is larger than 16 MB.')
  try {
    return utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  } catch (cause) {
    throw new EngineError('bad_request', INVALID_JSON_BODY, { cause })
  }
}

/** The body as JSON; an empty one counts as `{}`. @throws EngineError `bad_request` for invalid JSON, and as `readText` */
export async function readJson(request: IncomingMessage, clock: Clock): Promise<unknown> {
  const text = await readText(request, clock)
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EngineError('bad_request', INVALID_JSON_BODY, { cause })
  }
}
