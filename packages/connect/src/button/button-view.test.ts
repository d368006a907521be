import { LeuriaError } from '@leuria/client'
import { describe, expect, it } from 'vitest'
import { ENGLISH } from '../texts/english.js'
import { announcement } from './announcement.js'
import { BUTTON_VIEWS, buttonState, refusalOf } from './button-view.js'
import { chooseWords } from '../texts/text-choice.js'

describe('what the button shows', () => {
  it('is this, in every state', () => {
    const rows = Object.entries(BUTTON_VIEWS).map(([state, { tone, label, byline, press }]) => {
      const text = label === null ? '(the AI’s name)' : ENGLISH[label]
      return `${state}: ${text} | ${ENGLISH[byline]} | ${tone} | ${press}`
    })
    expect(rows).toEqual([
      'checking: Looking for your AI | Leuria asks you first | busy | nothing',
      'not-connected: Connect your AI | Leuria asks you first | main | connect',
      'connecting: Waiting for your answer | Look for the question in Leuria | busy | panel',
      'not-running: Leuria isn’t running | Start Leuria to go on | attention | start-dialog',
      'declined: Connect your AI | Not connected | quiet | retry',
      'connected: (the AI’s name) | Connected through Leuria | good | menu',
      'handheld: Connect your AI | Open this page on a computer | main | phone-dialog',
    ])
  })

  it('is the phone’s variant on phones, unless an AI is connected all the same', () => {
    expect(buttonState('not-connected', true)).toBe('handheld')
    expect(buttonState('not-running', true)).toBe('handheld')
    expect(buttonState('connected', true)).toBe('connected')
    expect(buttonState('not-running', false)).toBe('not-running')
  })
})

describe('why an attempt ended', () => {
  const refusal = (code?: string, retryAfterS?: number) =>
    refusalOf(code === undefined ? null : new LeuriaError('words of the client', { code, retryAfterS }))

  it.each([
    ['declined', 'You said no in Leuria. Nothing was shared with this site.'],
    ['expired', 'The question waited for you in Leuria and was put away. Nothing was shared.'],
    ['lost_connection', 'That didn’t work. Nothing was shared with this site.'],
    ['anything_new', 'That didn’t work. Nothing was shared with this site.'],
    [undefined, 'You said no in Leuria. Nothing was shared with this site.'],
  ])('%s is told in our words, never in the error’s', (code, text) => {
    expect(ENGLISH[refusal(code).text]).toBe(text)
  })

  it('says how long to wait after a recent no', () => {
    expect(refusal('declined_recently', 12)).toEqual({ text: 'recentText', seconds: 12 })
    expect(refusal('declined_recently')).toMatchObject({ seconds: 30 })
  })
})

describe('what a screen reader says', () => {
  const words = chooseWords('en')
  const say = (before: 'connected' | 'connecting' | 'checking', now: keyof typeof BUTTON_VIEWS, error?: LeuriaError) =>
    now === 'handheld' ? '' : announcement({ before, now, words, name: 'Claude Code', error: error ?? null })

  it('is news only', () => {
    expect(say('checking', 'not-connected')).toBe('')
    expect(say('connected', 'not-connected')).toBe('Not connected')
    expect(say('connecting', 'connected')).toBe('Claude Code answers here')
    expect(say('checking', 'connecting')).toBe('Look for the question in Leuria')
    expect(say('connected', 'not-running')).toBe('Leuria isn’t running')
    expect(say('connecting', 'declined', new LeuriaError('x', { code: 'declined_recently', retryAfterS: 9 }))).toBe(
      'Not connected. You just said no, so Leuria waits a little. Try again in 9 seconds.',
    )
  })
})
