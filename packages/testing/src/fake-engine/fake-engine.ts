/**
 * An engine for a client's tests: the protocol page's engine in small, on a real port, with a puppet for an AI,
 * switches for what engines may differ in, faults to order, and a log of everything the client did.
 */
import { type Clock, systemClock } from '@leuria/clock'
import { isLive, readRegistrationToken } from '@leuria/protocol'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { puppetAi, type PuppetAi } from '../puppet-ai.js'
import { EngineLog } from './engine-log.js'
import { FakePairing } from './fake-pairing.js'
import { answer, readRequest } from './fake-gate.js'
import type { FakeSession } from './fake-session.js'
import { FAKE_ENGINE_SWITCHES, type FakeEngineFaults, type FakeEngineSwitches, noFaults } from './switches.js'

export interface FakeEngineOptions extends Partial<FakeEngineSwitches> {
  /** Times the cooldown, held claims and the log. @default the real clock */
  clock?: Clock
  puppet?: PuppetAi
}

/** What the parts of a fake engine share. */
export interface FakeEngineState {
  url: string
  agent: string
  embedModel: string | undefined
  readonly switches: FakeEngineSwitches
  readonly faults: FakeEngineFaults
  readonly pairing: FakePairing
  readonly puppet: PuppetAi
  readonly sessions: Map<string, FakeSession>
}

export class FakeEngine implements FakeEngineState {
  url = ''
  agent = 'Puppet AI'
  embedModel: string | undefined
  readonly log = new EngineLog()
  readonly sessions = new Map<string, FakeSession>()
  readonly faults = noFaults()
  readonly switches: FakeEngineSwitches
  readonly pairing: FakePairing
  readonly puppet: PuppetAi
  private readonly clock: Clock
  private readonly sockets = new Set<Socket>()
  private readonly upgrades = new WebSocketServer({ noServer: true })
  private server: Server | undefined

  constructor({ clock = systemClock, puppet = puppetAi(), ...switches }: FakeEngineOptions) {
    this.clock = clock
    this.puppet = puppet
    this.switches = { ...FAKE_ENGINE_SWITCHES, ...switches }
    this.pairing = new FakePairing(clock, this.switches)
  }

  /** Sessions that count towards the limit. */
  get live(): FakeSession[] {
    return [...this.sessions.values()].filter(({ status }) => isLive(status))
  }

  /** The only live session. */
  get session(): FakeSession {
    const [first, ...others] = this.live
    if (first === undefined || others.length > 0) throw new Error(`${this.live.length} sessions are live`)
    return first
  }

  /** Takes the visitor's permission back: the site's sessions end, its token stops working. */
  revoke(origin: string): void {
    this.pairing.grants.delete(origin)
    for (const session of this.live) if (session.origin === origin) session.finish('cancelled')
  }

  /** Cuts every connection; the engine goes on. */
  cutConnections(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  /** The process dies: nothing listens any more, sessions are lost. Grants are on disk. */
  async crash(): Promise<void> {
    const { server } = this
    this.server = undefined
    this.sessions.clear()
    this.cutConnections()
    await new Promise<void>((resolve) => {
      if (server === undefined) resolve()
      else
        server.close(() => {
          resolve()
        })
    })
  }

  /** Listens, on the same port as before a crash. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      void this.onRequest(request).then((read) => answer(this, read, response))
    })
    server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.onUpgrade(request, socket, head)
    })
    this.server = server
    const port = this.url === '' ? 0 : Number(new URL(this.url).port)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const session of this.live) session.finish('cancelled')
    await this.crash()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  private async onRequest(request: IncomingMessage) {
    const at = this.clock.now()
    const read = await readRequest(request)
    const { method, path, origin, token, body } = read
    this.log.add({ kind: 'request', at, method, path, query: read.query.toString(), origin, token, body })
    return read
  }

  private onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', this.url)
    const { origin } = request.headers
    this.log.add({ kind: 'socket', at: this.clock.now(), path: url.pathname, origin })
    const status = this.upgradeStatus(url, origin)
    if (status !== 101) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`)
      return
    }
    this.upgrades.handleUpgrade(request, socket, head, (ws) => {
      const session = [...this.sessions.values()].find(({ channel }) => channel.path === url.pathname)
      if (session === undefined) this.register(ws)
      else this.openChannel(ws, session)
    })
  }

  private upgradeStatus(url: URL, origin: string | undefined): number {
    if (origin === undefined || !this.pairing.grants.has(origin)) return 403
    if (url.pathname === '/webmcp/register') return 101
    if (this.faults.refuseChannels > 0) {
      this.faults.refuseChannels -= 1
      return 503
    }
    const session = this.live.find(({ channel }) => channel.path === url.pathname)
    return session?.channel.token === url.searchParams.get('token') ? 101 : 401
  }

  private onMessage(ws: WebSocket, socket: string, take: (message: Record<string, unknown>) => void): void {
    ws.on('error', () => undefined)
    ws.on('message', (data: RawData) => {
      const text = Buffer.isBuffer(data) ? data.toString() : ''
      const message = JSON.parse(text) as Record<string, unknown>
      this.log.add({ kind: 'message', at: this.clock.now(), socket, message })
      take(message)
    })
  }

  private register(ws: WebSocket): void {
    this.onMessage(ws, 'register', ({ token }) => {
      const inner = readRegistrationToken(String(token))
      const session = this.live.find(({ registrationToken }) => registrationToken === inner)
      const { path: channel, token: channelToken } = session?.channel ?? {}
      const reply =
        session === undefined
          ? { type: 'error', message: 'This token is not known.' }
          : { type: 'registerSuccess', channel, token: channelToken }
      ws.send(JSON.stringify(reply))
    })
  }

  private openChannel(ws: WebSocket, session: FakeSession): void {
    this.onMessage(ws, session.id, (message) => {
      session.channel.take(message)
    })
    session.channel.attach(ws)
  }
}

/** Starts a fake engine on a free port. Close it, or use `await using`. */
export async function fakeEngine(options: FakeEngineOptions = {}): Promise<FakeEngine> {
  const engine = new FakeEngine(options)
  await engine.start()
  return engine
}
