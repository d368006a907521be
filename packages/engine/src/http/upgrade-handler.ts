/**
 * WebSocket upgrades: the same gate as for requests, then the two page-tool doors (Page tools).
 * A refusal is a small HTTP answer on the raw socket.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { decideRequest, type GateDecision } from '@leuria/origin-policy'
import { MAX_BODY_BYTES } from '@leuria/protocol'
import type { Relay } from '@leuria/webmcp-relay'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Log } from '../log.js'
import type { Gate } from './gate.js'
import { rawAnswer } from './raw-answer.js'

export interface UpgradeHandler {
  handle: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Every socket that was let in and is still open. */
  readonly open: number
  close(): void
}

type Passed = Extract<GateDecision, { kind: 'pass' }>
type Door = { status: number } | { accept(socket: WebSocket): void }

/**
 * Refuses an upgrade with a readable answer and closes the connection, from both sides: after an upgrade the socket is
 * ours alone, and a client that never closes its end would otherwise keep it, and keep the engine from stopping.
 */
function refuse(socket: Duplex, status: number, error: string | null): void {
  socket.once('finish', () => socket.destroy())
  // What the client sent behind its request is read past: a close with unread bytes is a reset, which eats the answer.
  socket.resume()
  socket.end(rawAnswer(status, error))
}

/** Why a door stays closed. */
const WORDS: Readonly<Record<number, string>> = {
  401: 'This channel or its token is not known.',
  403: 'This channel belongs to another site.',
  404: 'Not found',
}

/** Which door a path leads to. Only the session's own origin may open its channel. */
function findDoor(relay: Relay, { path, query, caller }: Passed): Door {
  const owner = caller.kind === 'site' ? caller.origin : 'local'
  if (path === '/webmcp/register') {
    return {
      accept: (socket) => {
        relay.acceptRegister(socket, owner)
      },
    }
  }
  const id = /^\/webmcp\/channel\/([^/]+)$/.exec(path)?.[1]
  if (id === undefined) return { status: 404 }
  const verdict = relay.authorizeChannel(id, query.get('token') ?? '', owner)
  if (verdict !== 'ok') return { status: verdict }
  return {
    accept: (socket) => {
      relay.acceptChannel(socket, id)
    },
  }
}

export function createUpgradeHandler(options: { gate: Gate; relay: Relay; log: Log }): UpgradeHandler {
  const { gate, relay } = options
  const server = new WebSocketServer({
    noServer: true,
    // A page may send as much in a frame as in a request's body.
    maxPayload: MAX_BODY_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  })

  const judge = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const decision = decideRequest(gate.facts(request, true), gate.site, gate.engine())
    if (decision.kind === 'cut') {
      socket.destroy()
      return
    }
    if (decision.kind === 'preflight' || decision.kind === 'refuse') {
      const refused = decision.kind === 'refuse' ? decision : { status: 404, error: WORDS[404] ?? null }
      gate.reportRefusal(request, refused.status)
      refuse(socket, refused.status, refused.error)
      return
    }
    const door = findDoor(relay, decision)
    if ('status' in door) {
      gate.reportRefusal(request, door.status)
      refuse(socket, door.status, WORDS[door.status] ?? null)
      return
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', (error) => {
        options.log.debug(`A page's socket failed: ${error.message}`)
      })
      door.accept(webSocket)
    })
  }

  return {
    handle(request, socket, head) {
      socket.on('error', () => socket.destroy())
      try {
        judge(request, socket, head)
      } catch (error) {
        options.log.warn(`An upgrade failed: ${error instanceof Error ? error.message : String(error)}`)
        refuse(socket, 500, 'Unexpected engine error')
      }
    },
    get open() {
      return server.clients.size
    },
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}
