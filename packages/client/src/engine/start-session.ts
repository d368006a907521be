/**
 * From nothing to a running session: prepare, tools and stream, approve (Sessions). Whatever fails or is called off on the
 * way leaves no session behind on the engine: a site has only four.
 */
import type { Clock } from '@leuria/clock'
import type { Attachment } from '@leuria/protocol/browser'
import { AbortError, badAnswer } from '../errors.js'
import type { BridgeEvent, BridgeSession } from './bridge-session.js'
import { EngineSession } from './engine-session.js'
import type { EngineHttp } from './engine-http.js'
import type { SocketClass } from './engine-socket.js'
import { orAbort } from './or-abort.js'
import type { PageHost } from './page-host.js'
import { checkTools, type PageTool } from './page-tool.js'
import { type Prepared, readPrepared } from './read-session.js'
import { watchWakes } from './wake-watch.js'

export interface StartSessionOptions {
  /** The first turn. Without it the AI is started and waits: a warm start. */
  prompt?: string
  /** For the first turn: at most 10. */
  attachments?: readonly Attachment[]
  /** Replaces the AI's own preset. */
  systemPrompt?: string
  /** Most steps a turn may take, 1 to 50. */
  maxTurns?: number
  /** What the AI may call in this page, for the session's whole life. */
  tools?: readonly PageTool[]
  /** Hears everything from the beginning; `session.onEvent` does too, if it is the first. */
  onEvent?: (event: BridgeEvent) => void
  /** Calls the start off; a session that was prepared meanwhile is closed. */
  signal?: AbortSignal
}

export interface StartSessionParts {
  http: EngineHttp
  clock: Clock
  /** @default the browser's */
  WebSocket?: SocketClass
  socketUrl: string
  page: PageHost
  /** Live sessions, for whoever must end them. */
  sessions: Set<BridgeSession>
}

/** How long the caller waits for `prepare`; the request itself is given longer, so that a late session can be closed. */
const PREPARE_LIMIT_MS = 60_000

/** @throws LeuriaError (`bad_request` for tools without a name; 400 for a fifth session), LeuriaNotRunningError, AbortError */
export async function startSession(parts: StartSessionParts, options: StartSessionOptions): Promise<BridgeSession> {
  const { tools = [], signal } = options
  checkTools(tools)
  if (signal?.aborted === true) throw new AbortError(undefined, { cause: signal.reason })
  const prepared = await orAbort(prepare(parts, options), signal, ({ sessionId }) => {
    closeOrphan(parts, sessionId)
  })
  const session = createSession(parts, { prepared, options })
  if (options.onEvent !== undefined) session.onEvent(options.onEvent)
  try {
    await orAbort(session.connect(), signal)
    await orAbort(session.approve(), signal)
    return session
  } catch (error) {
    session.close().catch(() => undefined)
    // What ended it says more than what its end interrupted.
    throw session.error ?? error
  }
}

async function prepare({ http }: StartSessionParts, options: StartSessionOptions): Promise<Prepared> {
  const { tools: _, onEvent: __, signal: ___, ...body } = options
  const prepared = readPrepared(await http.request('/session/prepare', { body, timeoutMs: PREPARE_LIMIT_MS }))
  if (prepared === null) throw badAnswer()
  return prepared
}

/** Nobody waits for this session any more. */
function closeOrphan({ http }: StartSessionParts, sessionId: string): void {
  http.request(`/session/${sessionId}/close`, { body: {}, keepalive: true }).catch(() => undefined)
}

function createSession(
  parts: StartSessionParts,
  { prepared, options }: { prepared: Prepared; options: StartSessionOptions },
): EngineSession {
  const { sessions } = parts
  const session = new EngineSession({
    ...parts,
    WebSocket: parts.WebSocket ?? WebSocket,
    id: prepared.sessionId,
    registrationToken: prepared.registrationToken,
    prompted: options.prompt !== undefined,
    tools: options.tools ?? [],
    onEnd: () => {
      stopWatching()
      sessions.delete(session)
    },
  })
  const stopWatching = watchWakes(parts, (wake) => {
    session.wake(wake)
  })
  sessions.add(session)
  return session
}
