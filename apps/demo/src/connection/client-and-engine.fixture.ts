/**
 * A real engine for a client's tests, on a free port and a temporary home, with the puppet as its only AI. Here is the
 * lowest floor from which both the client and the engine can be seen.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type Engine, type EngineOptions } from '@leuria/engine'
import { parseLink, parseOrigin } from '@leuria/protocol'
import { type ContractEngine, type FakeTab, puppetAdapter, type PuppetAi } from '@leuria/testing'

export interface RealEngine extends ContractEngine {
  readonly engine: Engine
  /** In app mode the system hands over the links that this page opens. */
  takeLinks(page: FakeTab): void
}

/** The puppet whatever a site or the visitor chose. */
function onlyPuppet(puppet: PuppetAi): NonNullable<EngineOptions['agents']> {
  const adapter = puppetAdapter(puppet)
  return {
    nameFor: () => adapter.name,
    idFor: () => adapter.id,
    find: (id) => ({ id, name: adapter.name, kind: 'agent' }),
    resolve: () => Promise.resolve(adapter),
  }
}

interface Question {
  requestId: string
  approveUrl: string
}

/** Answers in the desktop app's window. */
async function decideInApp(engine: Engine, { requestId }: Question, allow: boolean): Promise<void> {
  const outcome = await engine.pairing.decide({ requestId, allow, admin: true })
  if (outcome.kind === 'refused') throw new Error(`The answer was refused: ${JSON.stringify(outcome)}`)
}

/** Answers on the engine's own page. */
async function decideOnPage(engine: Engine, { approveUrl }: Question, allow: boolean): Promise<void> {
  const { origin, pathname, searchParams } = new URL(approveUrl)
  const answer = await fetch(`${origin}${pathname}/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: engine.url },
    body: JSON.stringify({ allow, key: searchParams.get('key') }),
  })
  if (!answer.ok) throw new Error(`The answer was refused: ${answer.status} ${await answer.text()}`)
}

/** Hands a `leuria:` link to the engine, as the system and the desktop app do. Of a refusal the page hears nothing. */
function handOver(engine: Engine, text: string): void {
  const link = parseLink(text)
  if (link?.kind !== 'connect') throw new Error(`not a link that asks: ${text}`)
  engine.pairing.link(link)
}

export async function startRealEngine(puppet: PuppetAi, mode: 'page' | 'app' = 'page'): Promise<RealEngine> {
  const home = await mkdtemp(join(tmpdir(), 'leuria-contract-'))
  const engine = await createEngine({ home, port: 0, mode, agents: onlyPuppet(puppet) })
  const decide = mode === 'app' ? decideInApp : decideOnPage
  const asked: Question[] = []
  let look = (): void => undefined
  engine.subscribe((event) => {
    if (event.event === 'pairing') asked.push(event)
    look()
  })
  return {
    engine,
    url: engine.url,
    takeLinks(page) {
      if (mode !== 'app') return
      page.onLink = (link) => {
        handOver(engine, link)
      }
    },
    async answerPairing(allow) {
      if (asked.length === 0) await new Promise<void>((resolve) => (look = resolve))
      const question = asked.shift()
      if (question === undefined) throw new Error('Nobody asked.')
      await decide(engine, question, allow)
    },
    async revoke(origin) {
      const parsed = parseOrigin(origin)
      if (parsed !== null) await engine.grants.revoke(parsed)
    },
    async close() {
      await engine.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
