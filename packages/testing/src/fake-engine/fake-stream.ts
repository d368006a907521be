/** One open event stream of a fake engine: how its bytes are written, and where they are cut. */
import type { ServerResponse } from 'node:http'
import type { FakeEngineSwitches } from './switches.js'

export class FakeStream {
  private waiting = ''
  private left: number

  /** @param cutAfter bytes after which the connection drops; Infinity: never */
  constructor(
    private readonly response: ServerResponse,
    private readonly switches: FakeEngineSwitches,
    cutAfter: number,
  ) {
    this.left = cutAfter
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.flushHeaders()
  }

  write(text: string): void {
    if (this.waiting === '' && this.switches.delivery === 'coalesced') {
      setImmediate(() => {
        this.flush()
      })
    }
    this.waiting += text
    if (this.switches.delivery !== 'coalesced') this.flush()
  }

  private flush(): void {
    if (this.waiting === '') return
    const bytes = Buffer.from(this.waiting)
    this.waiting = ''
    const sent = bytes.subarray(0, this.left)
    this.left -= sent.length
    if (this.switches.delivery === 'bytewise') for (const byte of sent) this.response.write(Buffer.of(byte))
    else this.response.write(sent)
    if (this.left <= 0) this.drop()
  }

  end(): void {
    this.flush()
    this.response.end()
  }

  /** Cuts the connection once what was written has left. */
  drop(): void {
    this.response.write('', () => this.response.destroy())
  }
}
