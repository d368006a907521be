/**
 * Our engine passes every clause that can be seen from outside, as the command line runs it and behind the desktop app. Its
 * time passes 25 times faster, so that what takes ten minutes is looked at, too.
 */
import { describe, expect, it } from 'vitest'
import { checkEngine, PAGE_TIMES, type PageTimes, type Report } from './index.js'
import { openOurEngine } from './our-engine.fixture.js'

const SPEED = 25

const times: PageTimes = {
  claimWaitMs: PAGE_TIMES.claimWaitMs / SPEED,
  cooldownMs: PAGE_TIMES.cooldownMs / SPEED,
  pairingMs: PAGE_TIMES.pairingMs / SPEED,
  pingMs: PAGE_TIMES.pingMs / SPEED,
  readableMs: PAGE_TIMES.readableMs / SPEED,
  callMs: PAGE_TIMES.callMs / SPEED,
}

const failures = (report: Report): string[] =>
  report.results.flatMap((result) => (result.status === 'failed' ? [`${result.clause.id}: ${result.seen}`] : []))

/** What no check from outside sees of our engine with the demo AI and an embedding model. */
const UNSEEN = [
  'attachment.to-ai',
  'base.default-port',
  'embed.failed',
  'embed.local',
  'embed.none',
  'error.500',
  'pair.again.choice',
  'security.empty-folder',
  'security.refuses',
  'session.ai.changed',
  'session.max-turns.caps',
  'session.start-limit',
  'session.system-prompt',
  'stream.failed',
  'stream.log',
  'stream.permission',
  'stream.thought',
]
/** In app mode a silent engine shows less; the file is looked at in page mode. */
const UNSEEN_IN = { page: [], app: ['error.429.no', 'error.429.pending'] } as const
/** At this speed the AI may be done before a second reader comes; in app mode the question may expire between two claims. */
const CHANCE = ['stream.chunk.replay', 'replay.live', 'error.410']

describe('our engine with the demo AI', () => {
  it.concurrent.each(['page', 'app'] as const)('passes N of N in %s mode', { timeout: 180_000 }, async (mode) => {
    await using engine = await openOurEngine({ mode }, SPEED)
    const report = await checkEngine({ ...engine, mode, times, flood: true })
    expect(failures(report)).toEqual([])
    const unseen = report.results.filter(({ status }) => status === 'not_observable').map(({ clause }) => clause.id)
    expect(unseen.filter((id) => !CHANCE.includes(id)).sort()).toEqual([...UNSEEN, ...UNSEEN_IN[mode]].sort())
  })
})
