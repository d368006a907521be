/** For this package's tests: a real engine on a free port and a temporary home, and callers of each kind. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentAdapter } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { parseOrigin, type ProcessEvent } from '@leuria/protocol'
import { type FakeClock, type RawAnswer, rawRequest } from '@leuria/testing'
import { createEngine, type Engine } from './engine.js'
import type { EngineOptions } from './engine-options.js'

export const SHOP = parseOrigin('https://shop.example') ?? fail('SHOP')
export const EVIL = parseOrigin('https://evil.example') ?? fail('EVIL')

/** Discard (RFC 863): nobody listens there, and no test asks the public list. */
const NO_LIST = 'http://127.0.0.1:9/registry.json'

function fail(what: string): never {
  throw new Error(`${what} is not an origin`)
}

export interface Call {
  method?: string
  /** A web page of this origin; absent: a local program. */
  origin?: string
  token?: string
  body?: unknown
  /** Sent as it is instead of `body`. */
  raw?: string | Uint8Array
  headers?: readonly (readonly [string, string])[]
  signal?: AbortSignal
}

export interface TestEngine extends AsyncDisposable {
  readonly engine: Engine
  readonly home: string
  readonly events: ProcessEvent[]
  readonly warnings: string[]
  call(path: string, call?: Call): Promise<RawAnswer>
  /** Connects a site as its page and the visitor would; gives its token. */
  connect(origin?: string): Promise<string>
  /** Stops this engine and starts another one on the same home. */
  restart(): Promise<void>
}

/** An AI for every choice. */
export function oneAgent(adapter: AgentAdapter): NonNullable<EngineOptions['agents']> {
  return {
    nameFor: () => adapter.name,
    idFor: () => adapter.id,
    resolve: () => Promise.resolve(adapter),
    find: (id) => ({ id, name: adapter.name, kind: 'agent' }),
  }
}

async function issueGrant(engine: Engine, origin: string): Promise<string> {
  const { token } = await engine.grants.issue({ origin: parseOrigin(origin) ?? fail(origin) })
  return token
}

let nonces = 0
/** A nonce that was never used before in this process. */
export function freshNonce(): string {
  nonces += 1
  return `nonce-${String(nonces).padStart(16, '0')}`
}

function isFake(clock: Clock | undefined): clock is FakeClock {
  return clock !== undefined && 'advance' in clock
}

/** Closes it; a clock that stands still is moved meanwhile, since closing waits for connections that are still open. */
async function closeEngine(engine: Engine, clock: Clock | undefined): Promise<void> {
  const closing = engine.close()
  const moving = isFake(clock) ? setInterval(() => clock.advance(50), 1) : undefined
  await closing.finally(() => {
    clearInterval(moving)
  })
}

export async function openTestEngine(options: Partial<EngineOptions> = {}): Promise<TestEngine> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'leuria-engine-')))
  const events: ProcessEvent[] = []
  const warnings: string[] = []
  const start = async (): Promise<Engine> => {
    const log = { warn: (line: string) => void warnings.push(line), debug: () => undefined }
    const started = await createEngine({ port: 0, warm: false, log, registryUrl: NO_LIST, ...options, home })
    started.subscribe((event) => events.push(event))
    return started
  }
  let engine = await start()

  const call = (
    path: string,
    { method, origin, token, body, raw, headers = [], signal }: Call = {},
  ): Promise<RawAnswer> => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    return rawRequest({
      port: engine.port,
      path,
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: [
        ...(origin === undefined ? [] : [['Origin', origin] as const]),
        ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
        ...headers,
      ],
      ...(text === undefined ? {} : { body: text }),
      ...(signal === undefined ? {} : { signal }),
    })
  }
  return {
    get engine() {
      return engine
    },
    home,
    events,
    warnings,
    call,
    async connect(origin = SHOP) {
      // There the visitor answers in the app's window.
      if (options.mode === 'app') return issueGrant(engine, origin)
      const asked = new Promise<string>((resolve) => {
        const undo = engine.subscribe((event) => {
          if (event.event !== 'pairing' || event.origin !== origin) return
          undo()
          resolve(event.approveUrl)
        })
      })
      const claim = call('/connect/claim', { origin, body: { nonce: freshNonce(), app: 'Shop' } })
      const url = new URL(await asked)
      const decided = await call(`${url.pathname}/decide`, {
        origin: engine.url,
        body: { allow: true, key: url.searchParams.get('key') },
      })
      if (decided.status !== 200) throw new Error(`not decided: ${decided.status} ${decided.text}`)
      const { json } = await claim
      if (typeof json !== 'object' || json === null || !('token' in json) || typeof json.token !== 'string')
        throw new Error('no token came')
      return json.token
    },
    async restart() {
      await closeEngine(engine, options.clock)
      engine = await start()
    },
    async [Symbol.asyncDispose]() {
      await closeEngine(engine, options.clock)
      if (options.home === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}
