/**
 * The network as a page of one origin sees it from Node: `fetch` and `WebSocket` that send the page's Origin,
 * note what they were used for, and can be cut or switched off.
 */
import { type Clock, systemClock } from '@leuria/clock'
import { WebSocket as NodeWebSocket } from 'ws'
import { fetchViaPort } from './fetch-via-port.js'

export interface NetworkUse {
  kind: 'fetch' | 'socket'
  url: string
  /** The clock's time. */
  at: number
  /** Of a fetch. */
  init?: RequestInit
}

export class PageNetwork {
  readonly uses: NetworkUse[] = []
  /** True: nothing gets through, as when nothing listens or the browser forbids it. */
  down = false
  /** Connections go to this port instead and still name the page's address as their host, as through a proxy. */
  via: number | null = null
  private readonly cuts = new Set<() => void>()

  constructor(
    readonly origin: string,
    private readonly clock: Clock = systemClock,
  ) {}

  readonly fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    this.uses.push({ kind: 'fetch', url: input, at: this.clock.now(), init })
    if (this.down) throw new TypeError('Failed to fetch')
    const cut = new AbortController()
    const cutNow = (): void => {
      cut.abort(new TypeError('network error'))
    }
    this.cuts.add(cutNow)
    const signal = init.signal == null ? cut.signal : AbortSignal.any([init.signal, cut.signal])
    const headers = new Headers(init.headers)
    headers.set('origin', this.origin)
    // A keep-alive request outlives its page; Node's fetch doesn't know the flag.
    const { keepalive: _, ...rest } = init
    const request = { ...rest, headers, signal }
    return this.via === null ? fetch(input, request) : fetchViaPort(this.via, input, request)
  }

  /** Where a socket connects, and what it says as its host. */
  private route(url: string): { address: string; host: string } {
    const address = new URL(this.down ? 'ws://127.0.0.1:1' : url)
    if (this.via !== null && !this.down) address.port = String(this.via)
    return { address: address.href, host: new URL(url).host }
  }

  /** A `WebSocket` class for this page. */
  get WebSocket(): new (url: string) => NodeWebSocket {
    const { origin, uses, cuts, clock } = this
    const route = (url: string): ReturnType<PageNetwork['route']> => this.route(url)
    return class extends NodeWebSocket {
      constructor(url: string) {
        const { address, host } = route(url)
        super(address, { origin, headers: { host } })
        uses.push({ kind: 'socket', url, at: clock.now() })
        cuts.add(() => {
          this.terminate()
        })
        this.on('error', () => undefined)
      }
    }
  }

  /** Cuts every open connection; new ones work. */
  cut(): void {
    for (const cut of this.cuts) cut()
    this.cuts.clear()
  }
}
