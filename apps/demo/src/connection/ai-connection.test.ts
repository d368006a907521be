import { describe, expect, it } from 'vitest'
import { LeuriaError, type ConnectionState } from '@leuria/client'
import { settle } from '@leuria/testing'
import { createAiConnection, type AiConnection, type ConnectionClient } from './ai-connection.js'

interface Scene {
  connection: AiConnection
  /** What the client says next. */
  say: (state: ConnectionState) => void
  /** The page is looked at again, or time passes. */
  look: () => void
  counts: { detects: number; connects: number; forgets: number; withdrawals: number }
  signal: () => AbortSignal | undefined
  opened: () => unknown
}

function scene(
  first: ConnectionState['status'],
  options: { isVisible?: boolean; refusal?: Error; opensLink?: boolean } = {},
): Scene {
  let state: ConnectionState = { status: first }
  let listener: (state: ConnectionState) => void = () => undefined
  let look: () => void = () => undefined
  let signal: AbortSignal | undefined
  let opened: unknown
  const counts = { detects: 0, connects: 0, forgets: 0, withdrawals: 0 }
  const say = (next: ConnectionState): void => {
    state = next
    listener(next)
  }
  const client: ConnectionClient = {
    getState: () => state,
    subscribe(next) {
      listener = next
      return () => undefined
    },
    async detect() {
      counts.detects += 1
      return { status: 'offline' }
    },
    async connect(how) {
      counts.connects += 1
      signal = how?.signal
      opened = how?.openLink
      if (options.refusal !== undefined) throw options.refusal
    },
    forget() {
      counts.forgets += 1
      say({ status: 'not-connected' })
    },
  }
  const watch = {
    isVisible: () => options.isVisible ?? true,
    onVisible: (run: () => void) => {
      look = run
    },
    every: () => undefined,
  }
  const connection = createAiConnection({ client, watch, opensLink: options.opensLink })
  connection.onWithdrawn(() => (counts.withdrawals += 1))
  return { connection, say, look: () => look(), counts, signal: () => signal, opened: () => opened }
}

describe('the connection', () => {
  it('asks the engine nothing before the visitor has connected', () => {
    const { look, counts } = scene('not-connected')
    look()
    expect(counts.detects).toBe(0)
  })

  it('looks at once after a reload, and each time the page is seen again', () => {
    const { look, counts } = scene('checking')
    expect(counts.detects).toBe(1)
    look()
    expect(counts.detects).toBe(2)
  })

  it('leaves the engine alone while nobody looks', () => {
    expect(scene('checking', { isVisible: false }).counts.detects).toBe(0)
  })

  it('notices that the access was taken back, once', () => {
    const { connection, say, counts } = scene('checking')
    say({ status: 'connected' })
    say({ status: 'not-connected' })
    expect(connection.facts.get()).toMatchObject({ isWithdrawn: true, wasConnected: false })
    say({ status: 'not-connected', error: new LeuriaError('x') })
    expect(counts.withdrawals).toBe(1)
  })

  it('notices it at the first look after a reload, too', () => {
    const { connection, say } = scene('checking')
    say({ status: 'not-connected' })
    expect(connection.facts.get().isWithdrawn).toBe(true)
  })

  it('does not take the visitor’s own disconnecting for it', () => {
    const { connection, say, counts } = scene('checking')
    say({ status: 'connected' })
    connection.act('disconnect')
    expect(connection.facts.get().isWithdrawn).toBe(false)
    expect(counts).toMatchObject({ forgets: 1, withdrawals: 0 })
  })

  it('nor an attempt that came to nothing', () => {
    const { connection, say } = scene('not-connected')
    connection.act('connect')
    say({ status: 'connecting' })
    say({ status: 'not-connected' })
    expect(connection.facts.get().isWithdrawn).toBe(false)
  })

  it('forgets about it with a new attempt', () => {
    const { connection, say } = scene('checking')
    say({ status: 'not-connected' })
    say({ status: 'connecting' })
    expect(connection.facts.get().isWithdrawn).toBe(false)
  })

  it('keeps in mind that it was connected while the engine is away', () => {
    const { connection, say } = scene('checking')
    say({ status: 'connected' })
    say({ status: 'not-running' })
    expect(connection.facts.get().wasConnected).toBe(true)
  })

  it('asks for the AI’s name as soon as it is connected', () => {
    const { connection, say, counts } = scene('not-connected')
    connection.act('connect')
    say({ status: 'connecting' })
    say({ status: 'connected' })
    expect(counts.detects).toBe(1)
    say({ status: 'connected', agent: 'Claude' })
    expect(counts.detects).toBe(1)
  })

  it('opens a link only where an app can receive it', () => {
    for (const opensLink of [true, false]) {
      const { connection, opened } = scene('not-connected', { opensLink })
      connection.act('connect')
      expect(opened()).toBe(opensLink)
    }
  })

  it('calls an attempt off', () => {
    const { connection, signal } = scene('not-connected')
    connection.act('connect')
    connection.act('cancel')
    expect(signal()?.aborted).toBe(true)
  })

  it('knows a device that can’t', async () => {
    const refusal = new LeuriaError('phones', { code: 'unsupported_device' })
    const { connection } = scene('not-connected', { refusal })
    connection.act('connect')
    await settle()
    expect(connection.facts.get().isUnsupported).toBe(true)
  })
})
