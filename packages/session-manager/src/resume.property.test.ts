// Seeded faults: readers that drop, lose what was on its way, stall and resume, with and without ids, while an AI streams.
// Each must end up with exactly the AI's events: none twice, none missing, texts equal.
import fc from 'fast-check'
import { type FakeSink, settle, type SseEvent, SseReader } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { NOTHING, Scene, type SessionScene } from './scene.fixture.js'

type Step =
  | { do: 'text'; pieces: string[] }
  | { do: 'thought' | 'log' | 'prompt' | 'end' | 'cancel' | 'tick' }
  | { do: 'connect' | 'stall' | 'resume'; page: number }
  /** `lost`: how much of what was written last never arrives. */
  | { do: 'disconnect'; page: number; lost: number }

const page = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('text' as const), pieces: fc.array(fc.string({ minLength: 1, unit: 'binary' }), { minLength: 1, maxLength: 5 }) }) }, // prettier-ignore
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('thought', 'log', 'prompt', 'end', 'cancel', 'tick') }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('connect', 'stall', 'resume'), page }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('disconnect' as const), page, lost: fc.nat(400) }) },
)

/** What the AI has really said: the truth that every page is measured by. */
class Truth {
  readonly turns: { text: string; over: boolean }[] = []

  get current(): { text: string; over: boolean } | undefined {
    const turn = this.turns.at(-1)
    return turn?.over === false ? turn : undefined
  }
}

/** A page: connects, and at each disconnect (or at last) looks at what it has really got. */
abstract class Page {
  protected sink: FakeSink | null = null
  #detach: () => void = () => undefined

  constructor(protected readonly session: SessionScene) {}

  protected abstract lastId(): string | undefined
  protected abstract absorb(events: readonly SseEvent[]): void

  connect(): void {
    if (this.sink !== null) return
    const { sink, detach } = this.session.read(this.lastId())
    this.sink = sink
    this.#detach = detach
  }

  disconnect(lost: number): void {
    const { sink } = this
    if (sink === null) return
    this.#detach()
    this.sink = null
    const text = sink.writes.join('')
    const reader = new SseReader()
    reader.push(text.slice(0, Math.max(0, text.length - lost)))
    this.absorb(reader.events)
  }

  stall(): void {
    this.sink?.stall()
  }

  resume(): void {
    this.sink?.resume()
  }
}

/** Resumes by id: keeps every numbered event it has had. */
class PageWithIds extends Page {
  readonly seen: SseEvent[] = []

  protected lastId(): string | undefined {
    return this.seen.at(-1)?.id ?? '0'
  }

  protected absorb(events: readonly SseEvent[]): void {
    for (const event of events) {
      if (event.id === undefined) expect(['webmcp_ready', 'ready']).toContain(event.event)
      else {
        expect(Number(event.id)).toBe(this.seen.length + 1)
        this.seen.push(event)
      }
    }
  }
}

/** Knows nothing of ids, as the protocol page has it: skips by count the chunks it has, learns a turn's end by replay. */
class PageWithoutIds extends Page {
  /** Ends of turns, as told. */
  readonly ends: string[] = []

  protected lastId(): undefined {
    return undefined
  }

  /** Every connection shows the turn it begins in from that turn's first chunk on. */
  protected absorb(events: readonly SseEvent[]): void {
    let text = ''
    let replayed = events.find(({ id }) => id !== undefined)?.event === 'turn_completed'
    for (const { event, data } of events) {
      if (event === 'turn_start') text = ''
      if (event === 'chunk') text += String(data)
      if (event !== 'turn_completed') continue
      const end = (data as { text: string }).text
      if (!replayed) expect(text).toBe(end)
      replayed = false
      this.ends.push(end)
    }
  }
}

/** The turns as a list of events tells them. */
function turnsOf(events: readonly SseEvent[]): string[] {
  const turns: string[] = []
  let text = ''
  for (const { event, data } of events) {
    if (event === 'turn_start') text = ''
    if (event === 'chunk') text += String(data)
    if (event === 'turn_completed') {
      expect((data as { text: string }).text).toBe(text)
      turns.push(text)
    }
  }
  return turns
}

async function play(steps: readonly Step[]): Promise<void> {
  const scene = new Scene({ limits: { keepChars: 10_000_000 } })
  const session = await scene.prepare().idle()
  const truth = new Truth()
  const withIds = [new PageWithIds(session), new PageWithIds(session)]
  const withoutIds = [new PageWithoutIds(session), new PageWithoutIds(session)]
  const pages: readonly Page[] = [...withIds, ...withoutIds]
  for (const each of steps) await act(each, { scene, session, truth, pages })

  for (const each of pages) each.connect()
  if (truth.current !== undefined) await act({ do: 'end' }, { scene, session, truth, pages })
  await settle()
  for (const each of pages) each.resume()
  session.close()
  await settle()
  for (const each of pages) each.disconnect(0)

  const spoken = truth.turns.map(({ text }) => text)
  for (const each of withIds) {
    expect(turnsOf(each.seen)).toEqual(spoken)
    expect(each.seen.at(-1)?.event).toBe('completed')
  }
  for (const each of withoutIds) expect(each.ends.at(-1)).toBe(spoken.at(-1))
  expect(await scene.leftovers()).toEqual(NOTHING)
}

interface Stage {
  scene: Scene
  session: SessionScene
  truth: Truth
  pages: readonly Page[]
}

async function act(step: Step, { scene, session, truth, pages }: Stage): Promise<void> {
  const { current } = truth
  switch (step.do) {
    case 'text':
      if (current === undefined) return
      current.text += step.pieces.join('')
      scene.agent.turn.text(...step.pieces)
      return settle()
    case 'thought':
      if (current !== undefined) scene.agent.turn.emit({ type: 'thought', text: 'hm' })
      return settle()
    case 'log':
      return scene.requests[0]?.log('line')
    case 'prompt':
      if (current !== undefined) return
      truth.turns.push({ text: '', over: false })
      session.prompt('go')
      return settle()
    case 'end':
    case 'cancel':
      if (current === undefined) return
      current.over = true
      if (step.do === 'end') scene.agent.turn.end()
      else session.cancelTurn()
      return settle()
    case 'tick':
      return scene.clock.advanceAsync(20_000)
    case 'connect':
      return pages[step.page]?.connect()
    case 'disconnect':
      return pages[step.page]?.disconnect(step.lost)
    case 'stall':
      return pages[step.page]?.stall()
    case 'resume':
      return pages[step.page]?.resume()
  }
}

/** More rounds, or other ones: LEURIA_ROUNDS=1000 LEURIA_SEED=7. */
const ROUNDS = Number(process.env.LEURIA_ROUNDS ?? 60)
const SEED = Number(process.env.LEURIA_SEED ?? 1)

describe('readers that drop, stall and come back', () => {
  it('all end up with the AI’s events: none twice, none missing', { timeout: 60_000 + 5_000 * ROUNDS }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), play), {
      numRuns: ROUNDS,
      seed: SEED,
    })
  })
})
