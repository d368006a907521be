import { expect, describe, it } from 'vitest'
import type { LeuriaConnectionState } from '@leuria/client'
import { createAiConnection, type AiConnection } from './ai-connection.js'
import type { ConnectionAction } from './connection-words.js'

interface Scene {
  connection: AiConnection
  /** What the SDK says next. */
  say: (status: LeuriaConnectionState['status'], model?: string) => void
  done: string[]
  withdrawals: () => number
}

function scene(first: LeuriaConnectionState['status']): Scene {
  const state = (status: LeuriaConnectionState['status'], model?: string): LeuriaConnectionState => ({
    ...{ status, model, provider: null, error: null, alternatives: [] },
  })
  let current = state(first)
  let listener: () => void = () => undefined
  const done: string[] = []
  const say: Scene['say'] = (status, model) => {
    current = state(status, model)
    listener()
  }
  const connection = createAiConnection({
    client: {
      async detect() {
        done.push('detect')
      },
    },
    link: {
      getState: () => current,
      subscribe(next) {
        listener = next
        return () => undefined
      },
      connect: () => done.push('connect'),
      retry: () => done.push('retry'),
      disconnect() {
        done.push('disconnect')
        say('not-connected')
      },
    },
  })
  let count = 0
  connection.onWithdrawn(() => (count += 1))
  return { connection, say, done, withdrawals: () => count }
}

describe('the connection', () => {
  it('notices that the access was taken back, once', () => {
    const { connection, say, withdrawals } = scene('checking')
    say('connected')
    say('not-connected')
    expect(connection.facts.get()).toMatchObject({ isWithdrawn: true, wasConnected: false })
    say('not-connected')
    expect(withdrawals()).toBe(1)
  })

  it('notices it at the first look after a reload, too', () => {
    const { connection, say } = scene('checking')
    say('not-connected')
    expect(connection.facts.get().isWithdrawn).toBe(true)
  })

  it('does not take the visitor’s own disconnecting for it', () => {
    const { connection, say, withdrawals } = scene('checking')
    say('connected')
    connection.act('disconnect')
    expect(connection.facts.get().isWithdrawn).toBe(false)
    expect(withdrawals()).toBe(0)
  })

  it('nor an attempt that came to nothing', () => {
    const { connection, say } = scene('not-connected')
    say('connecting')
    say('not-connected')
    expect(connection.facts.get().isWithdrawn).toBe(false)
  })

  it('forgets about it with a new attempt', () => {
    const { connection, say } = scene('checking')
    say('not-connected')
    say('connecting')
    expect(connection.facts.get().isWithdrawn).toBe(false)
  })

  it('keeps in mind that it was connected while the engine is away', () => {
    const { connection, say } = scene('checking')
    say('connected')
    say('not-running')
    expect(connection.facts.get().wasConnected).toBe(true)
    say('checking')
    say('connected', 'Claude')
    expect(connection.facts.get()).toMatchObject({ wasConnected: true, state: { model: 'Claude' } })
  })

  it.each<[ConnectionAction, string]>([
    ['connect', 'connect'],
    ['check_again', 'retry'],
    ['cancel', 'disconnect'],
    ['disconnect', 'disconnect'],
  ])('carries out %s', (action, what) => {
    const { connection, done } = scene('not-connected')
    connection.act(action)
    expect(done).toEqual([what])
  })

  it('asks now', async () => {
    const { connection, done } = scene('connected')
    expect((await connection.check()).state.status).toBe('connected')
    expect(done).toEqual(['detect'])
  })
})
