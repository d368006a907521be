/** A session's tool channel without a relay: tools given by the test, connected or not by its hand. */
import type { PageTools } from '@leuria/agent'
import { fakePageTools } from './fake-page-tools.js'

export class FakeChannel {
  readonly registrationToken: string
  readonly webmcpUrl = 'http://127.0.0.1:19570'
  /** What was told, in order: `begin`, `end`, `close: <reason>`. */
  readonly calls: string[] = []
  isConnected = false

  constructor(
    readonly sessionId: string,
    readonly tools: PageTools = fakePageTools(),
  ) {
    this.registrationToken = `register-${sessionId}`
  }

  /** Why it was closed; `null`: it is open. */
  get closed(): string | null {
    return this.calls.find((call) => call.startsWith('close: '))?.slice('close: '.length) ?? null
  }

  connected(): boolean {
    return this.isConnected
  }

  beginTurn(): void {
    this.calls.push('begin')
  }

  endTurn(): void {
    this.calls.push('end')
  }

  close(reason: string): void {
    this.calls.push(`close: ${reason}`)
  }
}
