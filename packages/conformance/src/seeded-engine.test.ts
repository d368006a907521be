/** The kit itself, on its engine side: a correct engine passes everything, and each seeded defect is caught by its clause. */
import { parseLink } from '@leuria/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { AskedQuestions } from './engine-check/asked-questions.js'
import type { Visitor } from './engine-check/visitor.js'
import { type Defect, ENGINE_DEFECTS, type EngineDefect } from './fake-engine/defects.js'
import { FakeEngine } from './fake-engine/fake-engine.js'
import { checkEngine, CLAUSES, type EngineClauseId, type PageTimes, type Report } from './index.js'

/** The kit's engine in a hurry. */
const TIMES: PageTimes = {
  claimWaitMs: 500,
  cooldownMs: 2_000,
  pairingMs: 4_000,
  pingMs: 200,
  readableMs: 600,
  callMs: 500,
}

function visitorOf(engine: FakeEngine): Visitor {
  const revoke = (origin: string): Promise<void> => Promise.resolve(engine.revoke(origin))
  if (engine.mode === 'page') {
    const asked = new AskedQuestions()
    engine.pairing.onQuestion = ({ origin, id, key }) => {
      asked.add({ origin, approveUrl: `${engine.url}/connect/${id}?key=${key}` })
    }
    return { ...asked, revoke }
  }
  return {
    revoke,
    answer: async ({ origin, allow }) => {
      engine.pairing.answer(origin, allow)
    },
    openLink: async (text) => {
      const link = parseLink(text)
      if (link?.kind === 'connect') engine.pairing.link(link.origin, link.nonce)
    },
  }
}

async function check(
  mode: 'page' | 'app',
  options: { defects?: readonly EngineDefect[]; only?: EngineClauseId[] } = {},
) {
  await using engine = await FakeEngine.start({ mode, defects: options.defects, times: TIMES })
  const visitor = visitorOf(engine)
  return await checkEngine({
    ...options,
    url: engine.url,
    mode,
    visitor,
    times: TIMES,
    flood: true,
    turnLimitMs: 5_000,
  })
}

const failed = (report: Report | undefined): string[] =>
  (report?.results ?? []).flatMap((result) =>
    result.status === 'failed' ? [`${result.clause.id}: ${result.seen}`] : [],
  )

describe('a correct engine', () => {
  it.concurrent.each(['page', 'app'] as const)('passes every clause in %s mode', async (mode) => {
    const report = await check(mode)
    expect(failed(report)).toEqual([])
    expect(report.passed).toBeGreaterThan(150)
  })
})

const defects: [EngineDefect, Defect<EngineClauseId>][] = Object.entries(ENGINE_DEFECTS).map(([name, defect]) => [
  name as EngineDefect,
  defect,
])

/** These cost much and no defect is about them: seen with the correct engine only. */
const HEAVY: readonly string[] = [
  'body.limit',
  'body.over-limit',
  'session.ended.gone',
  'pair.limit',
  'error.429.pending',
]
const LIGHT = CLAUSES.flatMap(({ id, side }) =>
  side === 'engine' && !HEAVY.includes(id) ? [id as EngineClauseId] : [],
)

/** Clauses that the same defect breaks, too; where one ends with a dot, all that begin so. */
const ALSO: Partial<Record<EngineDefect, readonly string[]>> = {
  bare_errors: ['cors.vary', 'cors.private-network'],
  wrong_token_403: ['error.401', 'pair.revoke.token', 'embed.token', 'security.token.elsewhere'],
  invalid_json_500: ['error.400'],
  token_for_everyone: ['origin.exact', 'health.paired.false'],
  no_cooldown: ['error.429.no'],
  site_decides: ['pair.', 'error.429.no'],
  no_greeting_ready: ['replay.order'],
  text_as_json: ['tools.declare.stay', 'tools.call', 'tools.call.same-id'],
  errors_as_results: ['tools.result.error-object'],
  pages_reach_mcp: ['body.json', 'mcp.token'],
}

/** As many checks at once: most of each is waiting. */
const AT_ONCE = 8

describe('an engine with one defect', () => {
  const reports = new Map<EngineDefect, Report>()
  beforeAll(async () => {
    const waiting = [...defects]
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [name, { mode = 'page' }] = next
        reports.set(name, await check(mode, { defects: [name], only: LIGHT }))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }, 180_000)

  it.each(defects)('%s is caught by its clause', (name, { clause }) => {
    const report = reports.get(name)
    expect(report?.ok).toBe(false)
    expect(failed(report).map((line) => line.split(':')[0])).toContain(clause)
  })

  it.each(defects)('%s breaks no other clause than those that say the same', (name, { clause }) => {
    const allowed = [clause, ...(ALSO[name] ?? [])]
    const others = failed(reports.get(name)).filter((line) => !allowed.some((id) => line.startsWith(id)))
    expect(others).toEqual([])
  })
})
