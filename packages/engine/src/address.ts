/** Where the engine listens: known only once it does, while the parts that need it are made before. */
import { parseOrigin, type Origin } from '@leuria/protocol/browser'

/** The only address the engine binds to (Conventions, Base URL). */
export const LOOPBACK = '127.0.0.1'

export class Address {
  #port = 0

  get port(): number {
    return this.#port
  }

  /** `http://127.0.0.1:<port>` */
  get url(): string {
    return `http://${LOOPBACK}:${this.#port}`
  }

  /** Called once, when the server listens. */
  set(port: number): void {
    this.#port = port
  }

  /** True for the two origins under which a browser may see the engine's own page. */
  isOwn(origin: Origin): boolean {
    return origin === parseOrigin(this.url) || origin === parseOrigin(`http://localhost:${this.#port}`)
  }
}
