/** The kit itself, on its client side: a correct client passes everything, and each seeded defect is caught by its clause. */
import { beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_DEFECTS, type ClientDefect } from './client-defects.fixture.js'
import type { Defect } from './fake-engine/defects.js'
import { checkClient, CLAUSES, type ClientClauseId, type Report } from './index.js'
import { SmallClient } from './small-client.fixture.js'

const failed = (report: Report | undefined): string[] =>
  (report?.results ?? []).flatMap((result) =>
    result.status === 'failed' ? [`${result.clause.id}: ${result.seen}`] : [],
  )

const check = (defects: ClientDefect[] = [], only?: ClientClauseId[]): Promise<Report> =>
  checkClient({ openPage: (parts) => new SmallClient(parts, defects), only })

it('passes a correct client, clause by clause', { timeout: 60_000 }, async () => {
  const report = await check()
  expect(failed(report)).toEqual([])
  expect(report).toMatchObject({ ok: true, passed: 17, failed: 0, notObservable: 0 })
})

const defects: [ClientDefect, Defect<ClientClauseId>][] = Object.entries(CLIENT_DEFECTS).map(([name, defect]) => [
  name as ClientDefect,
  defect,
])

/** They wait long, or measure: seen with a correct client, and where the defect is about them. */
const SLOW: readonly string[] = ['client.health', 'client.not-running', 'client.stream-again']

function clausesFor(clause: ClientClauseId): ClientClauseId[] {
  const ids = CLAUSES.flatMap(({ id, side }) => (side === 'client' ? [id as ClientClauseId] : []))
  return ids.filter((id) => id === clause || !SLOW.includes(id))
}

/** Clauses that the same defect breaks, too. */
const ALSO: Partial<Record<ClientDefect, readonly ClientClauseId[]>> = {
  // Its first prompt is refused, so it forgets the token.
  bare_prompts: ['client.address', 'client.tools-first'],
  same_nonce: ['client.forget'],
  approves_first: ['client.tools-first'],
}

/** As many checks at once: most of each is waiting. */
const AT_ONCE = 4

describe('a client with one defect', () => {
  const reports = new Map<ClientDefect, Report>()
  beforeAll(async () => {
    const waiting = [...defects]
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [name, { clause }] = next
        reports.set(name, await check([name], clausesFor(clause)))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }, 240_000)

  it.each(defects)('%s is caught by its clause, and by no other that does not say the same', (name, { clause }) => {
    const found = failed(reports.get(name))
    expect(found.map((line) => line.split(':')[0])).toContain(clause)
    const expected = [clause, ...(ALSO[name] ?? [])]
    expect(found.filter((line) => !expected.some((id) => line.startsWith(id)))).toEqual([])
  })
})
