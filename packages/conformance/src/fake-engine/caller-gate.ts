/** Who asks the kit's engine, and whether it answers at all: Host, Origin, silence, CORS. */
import type { IncomingMessage } from 'node:http'
import { HOST_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, parseOrigin } from '@leuria/protocol'
import type { EngineDefect } from './defects.js'
import type { FakePairing } from './fake-pairing.js'

export type FakeCaller = { kind: 'page'; origin: string } | { kind: 'own' } | { kind: 'local' }

export type Admission =
  | { caller: FakeCaller; cors: Readonly<Record<string, string>> }
  /** `text` is empty for silence. */
  | { caller: null; text: string }

export interface GateParts {
  port: number
  mode: 'page' | 'app'
  pairing: FakePairing
  has: (defect: EngineDefect) => boolean
}

/** An `Origin: null` page, for the engine that takes it. */
const ODD_PAGE = 'https://odd.example'

function refuse(error: string): Admission {
  return { caller: null, text: JSON.stringify({ error }) }
}

function corsFor(origin: string, { has }: GateParts): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Private-Network': 'true',
    ...(has('no_vary') ? {} : { Vary: 'Origin' }),
  }
}

export function tokenOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

export function admit(request: IncomingMessage, parts: GateParts): Admission {
  const { port, mode, pairing, has } = parts
  const { host, origin: text } = request.headers
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(host ?? '') && !has('host_unchecked')) return refuse(HOST_NOT_ALLOWED)
  if (text === undefined) return { caller: { kind: 'local' }, cors: {} }
  const origin = parseOrigin(text) ?? (has('scheme_unchecked') ? ODD_PAGE : null)
  if (origin === null) return mode === 'app' ? { caller: null, text: '' } : refuse(ORIGIN_NOT_ALLOWED)
  if (hosts.some((own) => origin === `http://${own}`)) return { caller: { kind: 'own' }, cors: {} }
  const isKnown = pairing.grants.has(origin) || pairing.named(origin)
  const isTold = request.method === 'OPTIONS' && has('preflight_tells')
  if (mode === 'app' && !isKnown && !isTold) return { caller: null, text: '' }
  return { caller: { kind: 'page', origin }, cors: corsFor(origin, parts) }
}
