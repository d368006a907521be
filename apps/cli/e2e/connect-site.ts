/** Connects a site to a running engine as its page and the visitor's browser would. */
import { rawRequest, type RawAnswer } from '@leuria/testing'
import type { RunningEngine } from './cli-process.js'

export interface SiteCall {
  engine: Pick<RunningEngine, 'ready'>
  path: string
  origin: string
  token?: string
  body?: unknown
  signal?: AbortSignal
}

export function callAs({ engine, path, origin, token, body, signal }: SiteCall): Promise<RawAnswer> {
  return rawRequest({
    port: engine.ready.port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: [['Origin', origin], ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const])],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** A nonce that no other attempt has. */
function nonce(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
}

/** A claim that waits, and where the visitor answers it. */
export interface Asked {
  claimed: Promise<RawAnswer>
  url: URL
}

export interface Asking {
  app?: string
  needs?: object
  /** Aborts when the page goes away before it has its answer. */
  signal?: AbortSignal
}

/** Lets a site ask, and waits until the visitor is told; rejects when the engine goes away meanwhile. */
export async function askAs(engine: RunningEngine, origin: string, asking: Asking = { app: 'Test' }): Promise<Asked> {
  const { signal, ...about } = asking
  const claimed = callAs({ engine, path: '/connect/claim', origin, body: { nonce: nonce(), ...about }, signal })
  const refused = claimed.then(({ status, text }) => {
    if (status !== 200) throw new Error(`the claim was refused: ${status} ${text}`)
    return null
  })
  refused.catch(() => undefined)
  const told = engine.waitFor((event) => event.event === 'pairing' && event.origin === origin)
  const asked = (await Promise.race([told, refused])) ?? (await told)
  if (asked.event !== 'pairing') throw new Error('unreachable: the event was chosen by its name')
  return { claimed, url: new URL(asked.approveUrl) }
}

/** The site's token; rejects when the engine goes away meanwhile. */
export async function connectSite(engine: RunningEngine, origin: string): Promise<string> {
  const { claimed, url } = await askAs(engine, origin)
  await callAs({
    engine,
    path: `${url.pathname}/decide`,
    origin: engine.ready.url,
    body: { allow: true, key: url.searchParams.get('key') },
  })
  const { json } = await claimed
  if (typeof json === 'object' && json !== null && 'token' in json && typeof json.token === 'string') return json.token
  throw new Error('no token came')
}
