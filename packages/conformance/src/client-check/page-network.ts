/** The network of a page under test: sends the page's Origin, and notes what it was used for. */
import { WebSocket as NodeWebSocket } from 'ws'
import type { PageParts } from './client-page.js'

export interface NetworkUse {
  readonly url: string
  readonly keepalive: boolean
}

export class PageNetwork {
  readonly uses: NetworkUse[] = []
  readonly #open = new Set<() => void>()

  constructor(private readonly origin: string) {}

  readonly fetch: PageParts['fetch'] = async (input, init = {}) => {
    const { keepalive = false, ...rest } = init
    this.uses.push({ url: input, keepalive })
    const headers = new Headers(init.headers)
    headers.set('origin', this.origin)
    const cut = new AbortController()
    this.#open.add(() => {
      cut.abort(new TypeError('network error'))
    })
    const signal = init.signal == null ? cut.signal : AbortSignal.any([init.signal, cut.signal])
    return fetch(input, { ...rest, headers, signal })
  }

  get WebSocket(): PageParts['WebSocket'] {
    const { origin, uses } = this
    const open = this.#open
    // A page's WebSocket as far as clients use it; `ws` has the browser's interface.
    return class extends NodeWebSocket {
      constructor(url: string) {
        super(url, { origin })
        uses.push({ url, keepalive: false })
        open.add(() => {
          this.terminate()
        })
        this.on('error', () => undefined)
      }
    } as unknown as PageParts['WebSocket']
  }

  /** Ends whatever is open: the browser does so when a page is gone. */
  close(): void {
    for (const cut of this.#open) cut()
  }
}
