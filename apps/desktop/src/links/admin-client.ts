/** Asks the engine's admin API as a program does: without an Origin, and without what a browser would add. */
import { request } from 'node:http'

/** On loopback and from memory; a disk may be slow. */
const LIMIT_MS = 15_000
const MAX_ANSWER_CHARS = 4_000_000

export interface AdminAnswer {
  status: number
  body: unknown
}

export interface EngineAddress {
  port: number
  token: string
}

/** @throws when the engine doesn't answer */
export function askAdmin(engine: EngineAddress, path: string, body?: object): Promise<AdminAnswer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const asked = request({
      host: '127.0.0.1',
      port: engine.port,
      path: `/admin${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${engine.token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    asked.on('error', reject).on('response', (response) => {
      let answer = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        answer += piece
        if (answer.length > MAX_ANSWER_CHARS) response.destroy(new Error('The engine said too much.'))
      })
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: readJson(answer) })
      })
    })
    asked.end(text)
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
