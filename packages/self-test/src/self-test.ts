/**
 * Tries an AI for real: an engine of its own on a free port with a temporary home, a page with one tool, one question.
 * What the page and the session do is in their own files; this decides the order, and what a failure is called.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, DeadlineError, systemClock, withDeadline } from '@leuria/clock'
import { type AgentChoice, type AgentSource, createEngine, type Engine } from '@leuria/engine'
import { BOX_QUESTION, judgeBox } from './box-question.js'
import { judgeAnswer, QUESTION, secretNumber, stockTool } from './stock-question.js'
import { TestSession } from './test-session.js'

/** How long an AI may take to start: more than a site's session grants, since an agent may be installed at first use. */
const START_LIMIT_MS = 120_000
/** How long the answer may take: a local model may have to be read from disk first. */
const ANSWER_LIMIT_MS = 180_000
/** A model needs one step for the call and one for the answer; small ones now and then take a detour. */
const MAX_TURNS = 6

/** One thing that was tried. */
export interface SelfTestStep {
  /** For people: "Starts". */
  name: string
  ok: boolean
  /** What happened, as a sentence for people. */
  detail: string
}

export interface SelfTestResult {
  /** Every step went well. */
  ok: boolean
  /** In order, up to the first one that failed. */
  steps: readonly SelfTestStep[]
}

export interface SelfTestOptions {
  /** Where the AI comes from, as for an engine. */
  agents: AgentSource
  /** Which one, written as a site's choice. @default the visitor's default AI */
  choice?: AgentChoice | null
  /** @default systemClock */
  clock?: Clock
  /** Hears of each step when it is over. */
  onStep?: (step: SelfTestStep) => void
  /** Hears what the AI is busy with: "Loading llama3.2 into memory". */
  onStatus?: (text: string) => void
  /** Ends the test; it then fails. */
  signal?: AbortSignal
  /** Tries as well whether the AI stays inside: for AIs that are programs with tools of their own. */
  box?: BoxTest
}

export interface BoxTest {
  /** Names of its own tools that do nothing outside of it. @default none */
  harmless?: readonly string[]
  /** What it must know nothing of. @default the user's home folder */
  home?: string
}

interface Stage {
  session: TestSession
  clock: Clock
  /** What the page's tool says, and nobody else knows. */
  secret: number
  box: BoxTest
}

/** A step says how it went, or throws what stopped it. */
interface Attempt {
  name: string
  limitMs: number
  tooLong: string
  run: (stage: Stage) => Promise<Omit<SelfTestStep, 'name'>>
}

const ATTEMPTS: readonly Attempt[] = [
  {
    name: 'Starts',
    limitMs: START_LIMIT_MS,
    tooLong: 'It was not ready after two minutes.',
    async run({ session }) {
      const trouble = await session.start()
      return { ok: trouble === null, detail: trouble ?? 'It is ready.' }
    },
  },
  {
    name: "Uses a page's tool",
    limitMs: ANSWER_LIMIT_MS,
    tooLong: 'It gave no answer in three minutes.',
    async run({ session, secret }) {
      const turn = await session.ask(QUESTION)
      return turn.ok
        ? judgeAnswer({ text: turn.text, called: session.page.calls > 0, secret })
        : { ok: false, detail: turn.problem }
    },
  },
]

const BOX_ATTEMPT: Attempt = {
  name: 'Stays in its box',
  limitMs: ANSWER_LIMIT_MS,
  tooLong: 'It gave no answer in three minutes.',
  async run({ session, box: { harmless = [], home = homedir() } }) {
    const entries = await readdir(home)
    const turn = await session.ask(BOX_QUESTION)
    const { seen } = turn
    const said = turn.ok ? turn.text : ''
    const text = `${said}\n${seen.thoughts}`
    const verdict = judgeBox({ seen, text, entries, harmless, pageTool: session.page.toolName })
    return turn.ok || !verdict.ok ? verdict : { ok: false, detail: turn.problem }
  },
}

/** The AI that is tested, for whoever asks. */
function only(agents: AgentSource, choice: AgentChoice | null): AgentSource {
  return {
    nameFor: () => agents.nameFor(choice),
    idFor: () => agents.idFor(choice),
    find: (id) => agents.find(id),
    resolve: () => agents.resolve(choice),
  }
}

async function attempt({ name, limitMs, tooLong, run }: Attempt, stage: Stage): Promise<SelfTestStep> {
  try {
    return { name, ...(await withDeadline(stage.clock, limitMs, run(stage))) }
  } catch (error) {
    if (error instanceof DeadlineError) return { name, ok: false, detail: tooLong }
    if (stage.session.stopped) return { name, ok: false, detail: 'The test was stopped.' }
    throw error
  }
}

async function runOn(engine: Engine, options: SelfTestOptions, clock: Clock): Promise<SelfTestStep[]> {
  const secret = secretNumber()
  const session = new TestSession({
    url: engine.url,
    tool: stockTool(secret),
    maxTurns: MAX_TURNS,
    onStatus: options.onStatus,
    signal: options.signal,
  })
  const steps: SelfTestStep[] = []
  try {
    const box = options.box ?? {}
    for (const each of options.box === undefined ? ATTEMPTS : [...ATTEMPTS, BOX_ATTEMPT]) {
      const step = await attempt(each, { session, clock, secret, box })
      steps.push(step)
      options.onStep?.(step)
      if (!step.ok) break
    }
    return steps
  } finally {
    session.close()
  }
}

/** Takes seconds to minutes. What the AI does wrong is in the result; rejects only when the test itself can't be made. */
export async function runSelfTest(options: SelfTestOptions): Promise<SelfTestResult> {
  const clock = options.clock ?? systemClock
  const home = await mkdtemp(join(tmpdir(), 'leuria-self-test-'))
  try {
    const engine = await createEngine({
      home,
      port: 0,
      clock,
      agents: only(options.agents, options.choice ?? null),
      limits: { sessions: { startMs: START_LIMIT_MS } },
    })
    try {
      const steps = await runOn(engine, options, clock)
      return { ok: steps.every(({ ok }) => ok), steps }
    } finally {
      await engine.close()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
