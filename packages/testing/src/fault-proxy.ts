/**
 * A TCP proxy that treats connections as bad networks and sleeping laptops do: cuts, stalls, delays, duplicates and
 * reorders them, by chance from a seed. It knows bytes only: HTTP, event streams and WebSockets all pass through it.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { between, type Random, seededRandom } from './seeded-random.js'

export const CONNECTION_FAULTS = {
  cut_answer: 'cut on both sides after some bytes of the answer',
  cut_request: 'cut on both sides after some bytes of the request',
  stall: 'nothing passes any more, and a while later both sides are cut',
  delay: 'every piece arrives late, in order',
  duplicate:
    'everything the client sends arrives a second time, over a connection of its own whose answers are dropped',
  reorder: 'begins only after the next connection has, and ends late',
} as const satisfies Record<string, string>
export type ConnectionFault = keyof typeof CONNECTION_FAULTS

export interface FaultProxyOptions {
  /** Port on 127.0.0.1 to connect to. */
  target: number
  random: Random
  /** How many connections of 100 have each fault; the rest have none. */
  percent: Partial<Record<ConnectionFault, number>>
  /** Longest delay, hold and stall, in ms. @default 20 */
  maxWaitMs?: number
  /** Most bytes before a cut. @default 3_000 */
  maxBytes?: number
}

interface Plan {
  random: Random
  fault: ConnectionFault | null
  /** Where it is cut or stalls. */
  bytes: number
  waitMs: number
}

/** Passes on what comes, in order, each piece after its time. */
class Lane {
  #work: Promise<void> = Promise.resolve()

  push(waitMs: number, act: () => void): void {
    this.#work = this.#work
      .then(() => (waitMs === 0 ? undefined : new Promise<void>((resolve) => setTimeout(resolve, waitMs))))
      .then(act)
  }
}

export class FaultProxy {
  /** How many connections had each fault so far. */
  readonly counts = new Map<ConnectionFault | 'none', number>()
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Connections that wait for the next one to begin. */
  readonly #held = new Set<() => void>()
  #calm = false

  constructor(private readonly options: FaultProxyOptions) {
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      this.#accept(client)
    })
  }

  /** Once it listens. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Sockets that are open, on either side. */
  get open(): number {
    return this.#sockets.size
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  /** From now on, new connections pass unharmed. */
  calm(): void {
    this.#calm = true
  }

  /** New connections may have faults again. */
  worry(): void {
    this.#calm = false
  }

  /** Cuts everything. Idempotent. */
  async close(): Promise<void> {
    const gone = [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of [...this.#sockets]) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
    await Promise.all(gone)
  }

  #plan(): Plan {
    const { percent, maxWaitMs = 20, maxBytes = 3_000 } = this.options
    // Chance of its own for each connection, so that what it does with it changes nothing for the next.
    const random = seededRandom(Math.floor(this.options.random() * 2 ** 32))
    const roll = random() * 100
    const plan = { random, bytes: between(random, 0, maxBytes), waitMs: between(random, 1, maxWaitMs) }
    let below = 0
    for (const fault of Object.keys(CONNECTION_FAULTS) as ConnectionFault[]) {
      below += percent[fault] ?? 0
      if (!this.#calm && roll < below) return { ...plan, fault }
    }
    return { ...plan, fault: null }
  }

  #track(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    return socket.setNoDelay(true)
  }

  #accept(client: Socket): void {
    const plan = this.#plan()
    this.counts.set(plan.fault ?? 'none', (this.counts.get(plan.fault ?? 'none') ?? 0) + 1)
    this.#track(client)
    if (plan.fault !== 'reorder') {
      this.#join(client, plan)
      for (const begin of [...this.#held]) begin()
      return
    }
    client.pause()
    const begin = (): void => {
      clearTimeout(timer)
      this.#held.delete(begin)
      if (!client.destroyed) this.#join(client, plan)
    }
    const timer = setTimeout(begin, plan.waitMs * 2)
    this.#held.add(begin)
  }

  #join(client: Socket, plan: Plan): void {
    const upstream = this.#dial()
    const twin = plan.fault === 'duplicate' ? this.#dial() : null
    twin?.resume()
    const cut = (): void => {
      for (const socket of [client, upstream, twin]) socket?.destroy()
    }
    const link: Link = { plan, cut, stalled: false }
    carry(link, { way: 'request', from: client, to: twin === null ? [upstream] : [upstream, twin] })
    carry(link, { way: 'answer', from: upstream, to: [client] })
    // A side that is gone takes the other with it; late when the end of the connection is to be late too.
    const goneMs = plan.fault === 'reorder' ? plan.waitMs : 0
    client.once('close', () => setTimeout(cut, goneMs))
    upstream.once('close', () => {
      if (!client.writableEnded) client.destroySoon()
    })
    client.resume()
  }

  #dial(): Socket {
    return this.#track(connect({ port: this.options.target, host: '127.0.0.1', allowHalfOpen: true }))
  }
}

/** Both directions of a connection have these in common. */
interface Link {
  plan: Plan
  cut: () => void
  stalled: boolean
}

interface Direction {
  way: 'request' | 'answer'
  from: Socket
  to: readonly Socket[]
}

/** Carries one direction, with the plan's fault where it belongs to this direction. */
function carry(link: Link, { way, from, to }: Direction): void {
  const { plan, cut } = link
  const lane = new Lane()
  const delay = (): number => (plan.fault === 'delay' ? between(plan.random, 0, plan.waitMs) : 0)
  const cuts = plan.fault === `cut_${way}`
  const stalls = plan.fault === 'stall' && way === 'answer'
  let bytes = 0
  const pass = (chunk: Buffer): void => {
    if (link.stalled) return
    const room = cuts || stalls ? Math.max(0, plan.bytes - bytes) : Infinity
    bytes += chunk.length
    const passes = chunk.length > room ? chunk.subarray(0, room) : chunk
    for (const socket of to) if (!socket.destroyed && passes.length > 0) socket.write(passes)
    if (chunk.length <= room) return
    link.stalled = true
    // A moment, so that what was let through arrives.
    setTimeout(cut, cuts ? 1 : plan.waitMs * 3)
  }
  from.on('data', (chunk: Buffer) => {
    lane.push(delay(), () => {
      pass(chunk)
    })
  })
  from.on('end', () => {
    lane.push(delay(), () => {
      if (!link.stalled) for (const socket of to) socket.end()
    })
  })
}

/** Starts it on a free port. Whoever starts it closes it. */
export async function faultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const proxy = new FaultProxy(options)
  await proxy.listen()
  return proxy
}
