import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from './read-event.js'
import { type LedgerEntry, TurnLedger } from './turn-ledger.js'

const chunk = (data: string, id: string | null = null): LedgerEntry => ({ event: { event: 'chunk', data }, id })
const ready: LedgerEntry = { event: { event: 'ready', data: null }, id: null }
const turnStart: LedgerEntry = { event: { event: 'turn_start', data: null }, id: null }
const completed = (text: string): LedgerEntry => ({
  event: { event: 'turn_completed', data: { text, durationMs: 1 } },
  id: null,
})

function feed(ledger: TurnLedger, ...entries: LedgerEntry[]): EngineEvent[] {
  return entries.flatMap((entry) => ledger.take(entry))
}

const textOf = (events: readonly EngineEvent[]): string =>
  events.map((event) => (event.event === 'chunk' ? event.data : '')).join('')
const namesOf = (events: readonly EngineEvent[]): string[] => events.map(({ event }) => event)

describe('the turn ledger', () => {
  it('skips replayed chunks by count, not by equality', () => {
    const ledger = new TurnLedger(true)
    ledger.streamOpened(false)
    const before = feed(ledger, turnStart, chunk('ha'), chunk('ha'))
    ledger.streamOpened(true)
    const after = feed(ledger, chunk('ha'), chunk('ha'), chunk('ha'), chunk('!'), completed('hahaha!'))
    expect(textOf([...before, ...after])).toBe('hahaha!')
    expect(namesOf(after)).toEqual(['chunk', 'chunk', 'turn_completed'])
  })

  it('drops the finished turn that an engine replays to an idle stream', () => {
    const ledger = new TurnLedger(true)
    ledger.streamOpened(false)
    feed(ledger, turnStart, chunk('old'), completed('old'))
    ledger.streamOpened(true)
    expect(feed(ledger, ready, chunk('old'), completed('old'))).toEqual([])
    expect(ledger.phase).toBe('idle')
  })

  it('drops it too when the next prompt left before the greeting was read', () => {
    const ledger = new TurnLedger(true)
    ledger.streamOpened(false)
    feed(ledger, turnStart, chunk('old'), completed('old'))
    ledger.streamOpened(true)
    ledger.prompted()
    expect(feed(ledger, ready, chunk('old'), completed('old'))).toEqual([])
    expect(namesOf(feed(ledger, turnStart, chunk('new'), completed('new')))).toEqual([
      'turn_start',
      'chunk',
      'turn_completed',
    ])
    expect(ledger.text).toBe('new')
  })

  it('takes the rest of a text from the end of a turn that lived through a reconnect', () => {
    const ledger = new TurnLedger(true)
    ledger.streamOpened(false)
    feed(ledger, turnStart, chunk('one '))
    ledger.streamOpened(true)
    expect(textOf(feed(ledger, ready, completed('one two')))).toBe('two')
  })

  it('adds nothing to a text whose turn dropped no connection, even if the engine words its end otherwise', () => {
    const ledger = new TurnLedger(true)
    ledger.streamOpened(false)
    expect(textOf(feed(ledger, turnStart, chunk('one'), completed('one and a tail')))).toBe('one')
  })

  it('tells of a turn that it missed as a whole', () => {
    const ledger = new TurnLedger(false)
    ledger.streamOpened(false)
    feed(ledger, ready)
    ledger.prompted()
    ledger.streamOpened(true)
    expect(namesOf(feed(ledger, ready, chunk('all'), completed('all')))).toEqual([
      'turn_start',
      'chunk',
      'turn_completed',
    ])
  })

  it('closes a turn whose end nobody tells', () => {
    const ledger = new TurnLedger(true)
    ledger.streamOpened(false)
    feed(ledger, turnStart, chunk('half'))
    ledger.streamOpened(true)
    feed(ledger, ready)
    expect(ledger.closeTurn(42)).toEqual([{ event: 'turn_completed', data: { text: 'half', durationMs: 42 } }])
    expect(ledger.closeTurn(43)).toEqual([])
    expect(feed(ledger, completed('half'))).toEqual([])
  })

  it('drops late text of a turn that is over', () => {
    const ledger = new TurnLedger(true)
    ledger.streamOpened(false)
    feed(ledger, turnStart, chunk('one'), completed('one'))
    expect(feed(ledger, chunk('late'))).toEqual([])
  })

  it('tells of a turn it meets in the middle as one that begins', () => {
    const ledger = new TurnLedger(false)
    ledger.streamOpened(false)
    feed(ledger, ready)
    ledger.streamOpened(true)
    expect(namesOf(feed(ledger, chunk('so')))).toEqual(['turn_start', 'chunk'])
    expect(ledger.phase).toBe('running')
  })

  it('forgets a prompt that was refused, unless the turn has begun all the same', () => {
    const refused = new TurnLedger(false)
    feed(refused, ready)
    refused.prompted()
    refused.refused()
    expect([refused.phase, refused.turnOpen]).toEqual(['idle', false])
    const begun = new TurnLedger(false)
    feed(begun, ready)
    begun.prompted()
    feed(begun, turnStart)
    begun.refused()
    expect([begun.phase, begun.turnOpen]).toEqual(['running', true])
  })

  it('says nothing after the end', () => {
    const ledger = new TurnLedger(true)
    expect(namesOf(feed(ledger, { event: { event: 'cancelled', data: null }, id: null }))).toEqual(['cancelled'])
    expect(feed(ledger, turnStart, chunk('x'), completed('x'), ready)).toEqual([])
    ledger.prompted()
    expect(ledger.phase).toBe('ended')
  })

  /** A made-up engine: what it has told of the turn, and what a new stream gets, by its kind. */
  const KINDS = ['page', 'ids', 'ids, replayed', 'last turn', 'last turn and its end'] as const

  it('gives every chunk once and in order, wherever streams drop and whichever way an engine replays', () => {
    // So many events are heard, then so many more are sent that the dropped connection loses.
    const drops = fc.array(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 4 })), { maxLength: 4 })
    const texts = fc.array(fc.constantFrom('ha', 'ho', ' ', '🙂'), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(texts, drops, fc.constantFrom(...KINDS), (pieces, dropAfter, kind) => {
        const told = [turnStart, ...pieces.map((piece) => chunk(piece)), completed(pieces.join(''))].map(
          (entry, index) => ({
            ...entry,
            id: kind.startsWith('ids') ? String(index) : null,
          }),
        )
        const ledger = new TurnLedger(true)
        const heard: EngineEvent[] = []
        let sent = 0
        let lastId = -1
        const hear = (entry: LedgerEntry): void => {
          if (entry.id !== null) lastId = Number(entry.id)
          heard.push(...ledger.take(entry))
        }
        ledger.streamOpened(false)
        for (const [count, lost] of dropAfter) {
          for (const entry of told.slice(sent, sent + count)) hear(entry)
          sent = Math.min(told.length, sent + count + lost)
          ledger.streamOpened(true)
          for (const entry of replay(told, { sent, lastId, kind })) hear(entry)
        }
        for (const entry of told.slice(sent)) hear(entry)
        heard.push(...ledger.closeTurn(0))
        expect(textOf(heard)).toBe(pieces.join(''))
        expect(namesOf(heard)).toEqual(['turn_start', ...pieces.map(() => 'chunk'), 'turn_completed'])
      }),
      { numRuns: 2_000 },
    )
  })

  function replay(
    told: readonly LedgerEntry[],
    { sent, lastId, kind }: { sent: number; lastId: number; kind: (typeof KINDS)[number] },
  ): LedgerEntry[] {
    const chunks = told.slice(0, sent).filter(({ event }) => event.event === 'chunk')
    const isOver = sent === told.length
    const greeting = isOver ? [ready] : []
    if (kind === 'ids') return [...greeting, ...told.slice(0, sent).filter(({ id }) => Number(id) > lastId)]
    if (!isOver) return chunks
    if (kind === 'page') return [...greeting, ...chunks]
    return [...greeting, ...chunks, ...(kind === 'last turn and its end' ? told.slice(-1) : [])]
  }
})
