/**
 * 100 streams at once, 4 of each of 25 origins, from a scripted AI over real connections: no event is lost, and memory
 * stays flat. A few seconds here; ten minutes: `pnpm --filter @leuria/engine test:streams` (LEURIA_MINUTES=10).
 */
import { parseOrigin } from '@leuria/protocol'
import { type ScriptedAgent, scriptedAgent, type ScriptStep } from '@leuria/testing'
import { expect, it } from 'vitest'
import { oneAgent, openTestEngine, type TestEngine } from './engine.fixture.js'
import { LeanReader } from './lean-reader.fixture.js'
import { heldBytes, megabytes } from './memory.fixture.js'

const MINUTES = Number(process.env.LEURIA_MINUTES ?? 0.05)
const DURATION_MS = MINUTES * 60_000
const ORIGINS = 25
const SESSIONS_EACH = 4
/** What memory is asked for, in ms. */
const SAMPLE_MS = 10_000
/** From then on nothing grows: by then each session keeps as many old turns as it ever will. */
const SETTLED_MS = 4 * 60_000
/** What counts as flat: far below one byte for each event that passed. */
const FLAT_BYTES = 4 * 1024 * 1024

/** What a closed engine may leave behind: compiled code and pools, nothing that counts sessions. */
const LEFT_BYTES = 8 * 1024 * 1024

/** About 40 events a second and stream: faster than people read, and slower than the wire. */
const TURN: readonly ScriptStep[] = [
  ...Array.from({ length: 20 }, (_, at): ScriptStep[] => [
    { type: 'flood', text: `word ${at} `, count: 4 },
    { type: 'pause', ms: 100 },
  ]).flat(),
  { type: 'turn_end', stopReason: 'end_turn' },
]

class Speaker {
  readonly reader: LeanReader
  #stopped = false

  private constructor(
    private readonly test: TestEngine,
    private readonly caller: { origin: string; token: string },
    private readonly id: string,
  ) {
    this.reader = new LeanReader({
      port: test.engine.port,
      sessionId: id,
      ...caller,
      onTurnEnd: () => {
        if (!this.#stopped) void this.#act('prompt', { prompt: 'go on' })
      },
    })
  }

  static async start(test: TestEngine, caller: { origin: string; token: string }): Promise<Speaker> {
    const { json } = await test.call('/session/prepare', { ...caller, body: { prompt: 'begin' } })
    const speaker = new Speaker(test, caller, (json as { sessionId: string }).sessionId)
    await speaker.#act('approve')
    return speaker
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#act('close')
    await this.reader.ended
  }

  async #act(action: string, body: unknown = {}): Promise<void> {
    const { status, text } = await this.test.call(`/session/${this.id}/${action}`, { ...this.caller, body })
    if (status !== 200 && !this.#stopped) this.reader.faults.push(`${action}: ${text}`)
  }
}

async function startAll(test: TestEngine): Promise<Speaker[]> {
  const speakers: Promise<Speaker>[] = []
  for (let site = 0; site < ORIGINS; site += 1) {
    const origin = parseOrigin(`https://site-${site}.example`)
    if (origin === null) throw new Error('unreachable: it is an origin')
    const { token } = await test.engine.grants.issue({ origin })
    for (let count = 0; count < SESSIONS_EACH; count += 1) speakers.push(Speaker.start(test, { origin, token }))
  }
  return Promise.all(speakers)
}

interface Sample {
  atMs: number
  bytes: number
}

/** Memory at regular times, until the time is over. */
async function watchMemory(durationMs: number, agent: ScriptedAgent): Promise<Sample[]> {
  const samples: Sample[] = []
  const startMs = performance.now()
  for (;;) {
    const leftMs = durationMs - (performance.now() - startMs)
    if (leftMs <= 0) return samples
    await new Promise((resolve) => setTimeout(resolve, Math.min(SAMPLE_MS, leftMs)))
    // The scripted AI's own notes are the test's memory, not the engine's.
    for (const session of agent.sessions) session.turns.length = 0
    samples.push({ atMs: performance.now() - startMs, bytes: heldBytes() })
  }
}

/** The medians of the first and of the last third of what came after everything had settled; zeros in a short run. */
function compareThirds(samples: readonly Sample[]): { early: number; late: number } {
  const settled = samples.filter(({ atMs }) => atMs > SETTLED_MS).map(({ bytes }) => bytes)
  const third = Math.ceil(settled.length / 3)
  const median = (bytes: readonly number[]): number => [...bytes].sort((a, b) => a - b)[bytes.length >> 1] ?? 0
  return { early: median(settled.slice(0, third)), late: median(settled.slice(-third)) }
}

/** What all readers together have got; checks that each had all of its own. */
function addUp(readers: readonly LeanReader[]): { events: number; turns: number; characters: number } {
  const sum = (of: (reader: LeanReader) => number): number => readers.reduce((total, reader) => total + of(reader), 0)
  const [events, turns] = [sum((reader) => reader.events), sum((reader) => reader.turns)]
  expect(readers.flatMap(({ faults }) => faults)).toEqual([])
  // Each stream had its share: none starves.
  expect(Math.min(...readers.map((reader) => reader.events))).toBeGreaterThan((0.5 * events) / readers.length)
  return { events, turns, characters: sum((reader) => reader.characters) }
}

/** An engine loads most of its code while it starts: what code takes is no matter of sessions. */
async function loadEverything(): Promise<void> {
  await using _ = await openTestEngine({})
}

/** Everything from the first `prepare` to the engine's end. */
async function play(before: number): Promise<{ early: number; late: number }> {
  const agent = scriptedAgent({ turns: () => TURN })
  await using test = await openTestEngine({ agents: oneAgent(agent) })
  const speakers = await startAll(test)
  expect(test.engine.sessions.live()).toMatchObject({ sessions: 100, streams: 100 })
  const samples = await watchMemory(DURATION_MS, agent)
  await Promise.all(speakers.map((speaker) => speaker.stop()))
  const sums = addUp(speakers.map(({ reader }) => reader))
  expect(test.engine.sessions.live()).toMatchObject({ sessions: 0, streams: 0 })
  expect(agent.running).toBe(0)
  expect(test.warnings).toEqual([])
  const thirds = compareThirds(samples)
  const megabytesOf = { before: megabytes(before), early: megabytes(thirds.early), late: megabytes(thirds.late) }
  const all = samples.map(({ bytes }) => megabytes(bytes))
  if (process.env.LEURIA_MINUTES !== undefined) console.log(JSON.stringify({ MINUTES, ...sums, megabytesOf, all }))
  return thirds
}

it('100 streams at once lose no event, and memory stays flat', { timeout: DURATION_MS * 1.5 + 60_000 }, async () => {
  await loadEverything()
  const before = heldBytes()
  const { early, late } = await play(before)
  expect(late - early).toBeLessThan(FLAT_BYTES)
  expect(heldBytes() - before).toBeLessThan(LEFT_BYTES)
})
