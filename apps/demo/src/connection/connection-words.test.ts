import { describe, expect, it } from 'vitest'
import { LeuriaError, type ConnectionStatus } from '@leuria/client'
import { connectionWords, type ConnectionFacts } from './connection-words.js'

const facts = (
  status: ConnectionStatus,
  more: Partial<ConnectionFacts> = {},
  error?: LeuriaError,
): ConnectionFacts => ({
  ...{ state: { status, error: error ?? null }, isWithdrawn: false, wasConnected: false },
  ...more,
})

/** Every state: its title, and what its button does. */
const ALL: Record<ConnectionStatus, [title: string, does: string | undefined]> = {
  checking: ['Looking for your AI', undefined],
  'not-connected': ['Ask with your own AI', 'connect'],
  connecting: ['Waiting for your answer', 'cancel'],
  declined: ['You said no', 'connect'],
  'not-running': ['Leuria isn’t running', 'connect'],
  connected: ['Your AI', 'disconnect'],
}

describe('the connection in words', () => {
  it.each(Object.entries(ALL))('says %s', (status, [title, does]) => {
    const no = new LeuriaError('x', { code: 'declined' })
    const words = connectionWords(facts(status as ConnectionStatus, {}, status === 'declined' ? no : undefined))
    expect([words.title, words.action?.does]).toEqual([title, does])
    expect(words.text).toMatch(/\.$/)
    expect(words.short).not.toBe('')
  })

  it('names the AI', () => {
    expect(
      connectionWords({ ...facts('connected'), state: { status: 'connected', model: 'Claude', error: null } }).title,
    ).toBe('Claude')
  })

  it('says that the visitor took the access back', () => {
    const words = connectionWords(facts('not-connected', { isWithdrawn: true }))
    expect(words).toMatchObject({
      title: 'You disconnected this shop',
      action: { label: 'Connect again', does: 'connect' },
    })
  })

  it('tells how to start the engine, and keeps a connection that is there', () => {
    expect(connectionWords(facts('not-running'))).toMatchObject({
      command: 'leuria start',
      action: { does: 'connect' },
    })
    const kept = connectionWords(facts('not-running', { wasConnected: true }))
    expect(kept).toMatchObject({ command: 'leuria start', action: { does: 'check_again' } })
    expect(kept.text).toContain('kept')
  })

  it('tells how long a no holds', () => {
    const error = new LeuriaError('x', { code: 'declined_recently', retryAfterS: 12 })
    expect(connectionWords(facts('declined', {}, error)).text).toContain('in 12 seconds')
  })

  it('tells an unanswered question from one that was never asked', () => {
    const error = new LeuriaError('x', { code: 'expired' })
    expect(connectionWords(facts('declined', {}, error)).title).toBe('The question timed out')
  })

  it('takes no failure for a no', () => {
    const error = new LeuriaError('x', { code: 'bad_answer' })
    expect(connectionWords(facts('declined', {}, error))).toMatchObject({
      title: 'That didn’t work',
      action: { does: 'connect' },
    })
  })

  it('offers nothing that a phone can’t do', () => {
    const error = new LeuriaError('x', { code: 'unsupported_device' })
    const words = connectionWords(facts('not-running', {}, error))
    expect(words.title).toBe('Only on computers')
    expect(words.action).toBeUndefined()
  })
})
