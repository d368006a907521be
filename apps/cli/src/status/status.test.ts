/** What the status view says, from what an engine tells. How it behaves in a terminal: `e2e/status-view.test.ts`. */
import { parseOrigin } from '@leuria/protocol'
import { describe, expect, it } from 'vitest'
import { happeningWords } from './happening-words.js'
import { StatusBook } from './status-book.js'
import { MOST_HAPPENINGS, MOST_SITES, type Status, statusLines } from './status-lines.js'

const plain = { bold: String, dim: String, green: String, yellow: String }
const AT = new Date('2026-11-30T12:00:00')

const calm: Status = {
  url: 'http://127.0.0.1:19570',
  version: '0.1.0',
  agent: 'Demo AI',
  connected: 1,
  sites: [],
  questions: [],
  happenings: [],
}

function text(status: Partial<Status>): string {
  return statusLines({ ...calm, ...status }, plain).join('\n')
}

function owner(name: string) {
  return parseOrigin(`https://${name}.example`) ?? expect.fail('an origin')
}

describe('the lines', () => {
  it('say who answers, how many sites are connected, and that nothing goes on', () => {
    expect(text({})).toMatch(/Leuria 0\.1\.0 at http:\/\/127\.0\.0\.1:19570\nYour AI: Demo AI {3}1 site connected\n/)
    expect(text({})).toContain('No site is talking to your AI right now.')
    expect(text({ connected: 2 })).toContain('2 sites connected')
  })

  it('put a question where it is seen', () => {
    expect(text({ questions: ['https://shop.example'] })).toContain('\n? shop.example waits for your answer\n')
  })

  it.each([MOST_SITES, MOST_SITES + 1])('list %d sites, and count what is more', (sites) => {
    const all = Array.from({ length: sites }, (_, at) => ({
      origin: `https://s${at}.example`,
      conversations: 1,
      answering: 0,
    }))
    const shown = text({ sites: all })
    expect(shown.match(/s\d+\.example/g)).toHaveLength(MOST_SITES)
    expect(shown.includes('and 1 more site')).toBe(sites > MOST_SITES)
  })
})

describe('the book', () => {
  it('counts conversations by site, those being answered first, until they end', () => {
    const book = new StatusBook()
    const status = (sessionId: string, site: string, to: 'idle' | 'running' | 'cancelled') => {
      book.session({ kind: 'status', sessionId, owner: owner(site), status: to })
    }
    status('1', 'a', 'idle')
    status('2', 'b', 'running')
    status('3', 'b', 'idle')
    expect(book.sites()).toEqual([
      { origin: 'https://b.example', conversations: 2, answering: 1 },
      { origin: 'https://a.example', conversations: 1, answering: 0 },
    ])
    for (const id of ['1', '2', '3']) status(id, 'a', 'cancelled')
    expect(book.sites()).toEqual([])
  })

  it.each([MOST_HAPPENINGS, MOST_HAPPENINGS + 1])('keeps the last of %d happenings', (many) => {
    const book = new StatusBook()
    for (let at = 0; at < many; at += 1) book.entry({ kind: 'grant_revoked', origin: `https://s${at}.example` }, AT)
    expect(book.happenings).toHaveLength(MOST_HAPPENINGS)
    expect(book.happenings.at(-1)).toEqual({ time: '12:00:00', words: `s${many - 1}.example is no longer connected` })
  })
})

describe('the words for what happened', () => {
  const origin = 'https://shop.example'
  const session = { origin, sessionId: 's' }

  it.each([
    [{ kind: 'pairing_asked', origin }, 'shop.example asks to use your AI'],
    [{ kind: 'pairing_answered', origin, allowed: true }, 'shop.example: allowed'],
    [{ kind: 'pairing_answered', origin, allowed: false }, 'shop.example: not now'],
    [{ kind: 'session_started', ...session, agent: 'demo' }, 'shop.example began a conversation with demo'],
    [{ kind: 'session_ended', ...session, status: 'completed' }, 'shop.example ended its conversation'],
    [{ kind: 'session_ended', ...session, status: 'failed' }, 'shop.example: the conversation failed'],
    [{ kind: 'tool_called', ...session, tool: 'search', outcome: 'ok' }, 'shop.example: the AI used search'],
    [{ kind: 'permission_refused', ...session, tool: 'bash' }, 'shop.example: the AI wanted bash, refused'],
    [{ kind: 'tool_outside_page', ...session, tool: 'bash' }, 'shop.example: the AI used bash on its own; ended'],
    [{ kind: 'request_refused', origin, method: 'GET', path: '/', status: 403 }, null],
  ] as const)('%j', (entry, words) => {
    expect(happeningWords(entry)).toBe(words)
  })

  it("never let a site's name move the cursor", () => {
    const tool = 'a\u001b[2Jb\u202ec'
    expect(happeningWords({ kind: 'permission_refused', ...session, tool })).toBe(
      'shop.example: the AI wanted a·[2Jb·c, refused',
    )
  })
})
