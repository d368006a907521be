/** Where requests wait that come between the engine's word that it listens and the moment when everything behind is loaded. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** What answers. */
export interface Behind {
  onRequest: (request: IncomingMessage, response: ServerResponse) => void
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Requests wait unread, so what they hold is what their sockets hold. */
export class Door implements Behind {
  #behind: Behind | null = null
  #waiting: ((behind: Behind | null) => void)[] = []

  readonly onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    this.#pass((behind) => {
      if (behind === null) response.destroy()
      else behind.onRequest(request, response)
    })
  }

  readonly onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Node leaves an upgraded socket to us alone: one that fails while it waits must not end the process.
    if (this.#behind === null) socket.on('error', () => socket.destroy())
    this.#pass((behind) => {
      if (behind === null) socket.destroy()
      else behind.onUpgrade(request, socket, head)
    })
  }

  /** In the order they came; later ones go straight on. `null`: there is nothing behind, they are cut. */
  open(behind: Behind | null): void {
    this.#behind = behind
    for (const pass of this.#waiting.splice(0)) pass(behind)
  }

  #pass(pass: (behind: Behind | null) => void): void {
    if (this.#behind === null) this.#waiting.push(pass)
    else pass(this.#behind)
  }
}
