/** For this package's tests: a real engine with the demo AI and a scripted embedding model, on a free port, and its visitor. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, type EngineOptions } from '@leuria/engine'
import { parseLink, parseOrigin } from '@leuria/protocol'
import { type FakeClock, fakeClock, scriptedLmStudio, scriptedOllama } from '@leuria/testing'
import { AskedQuestions } from './engine-check/asked-questions.js'
import type { Visitor } from './engine-check/visitor.js'

export interface OurEngine extends AsyncDisposable {
  readonly url: string
  readonly home: string
  readonly visitor: Visitor
}

/** How often the hurried clock moves, and how far at most: a page must have time for the pings of 15 s. */
const TICK_MS = 5
const MAX_STEP_MS = 10_000

/** A clock on which time passes this many times faster. Returns its end, too. */
function hurriedClock(speed: number): { clock: FakeClock; stop: () => void } {
  const clock = fakeClock()
  let last = performance.now()
  const moving = setInterval(() => {
    const now = performance.now()
    clock.advance(Math.min((now - last) * speed, MAX_STEP_MS))
    last = now
  }, TICK_MS)
  return {
    clock,
    stop: () => {
      clearInterval(moving)
    },
  }
}

/** @param speed how much faster its time passes */
export async function openOurEngine(options: Partial<EngineOptions> = {}, speed = 1): Promise<OurEngine> {
  const { clock, stop } = hurriedClock(speed)
  const home = await mkdtemp(join(tmpdir(), 'leuria-conformance-'))
  const ollama = await scriptedOllama({ models: [{ name: 'nomic-embed-text:latest', capabilities: ['embedding'] }] })
  const lmStudio = await scriptedLmStudio({ models: [] })
  const providers = [
    { id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: ollama.url },
    { id: 'lmstudio', kind: 'lmstudio', name: 'LM Studio', baseUrl: lmStudio.url },
  ]
  await writeFile(join(home, 'providers.json'), JSON.stringify({ version: 1, providers }), { mode: 0o600 })
  const engine = await createEngine({ port: 0, clock, ...options, home })
  const asked = new AskedQuestions()
  const ids = new Map<string, string>()
  engine.subscribe((event) => {
    if (event.event !== 'pairing') return
    ids.set(event.origin, event.requestId)
    asked.add(event)
  })
  const revoke = async (origin: string): Promise<void> => {
    const parsed = parseOrigin(origin)
    if (parsed !== null) await engine.grants.revoke(parsed)
  }
  const inApp: Visitor = {
    revoke,
    async answer({ origin, allow }) {
      await engine.pairing.decide({ requestId: ids.get(origin) ?? '', allow, admin: true })
    },
    async openLink(text) {
      const link = parseLink(text)
      if (link?.kind === 'connect') engine.pairing.link(link)
    },
  }
  return {
    url: engine.url,
    home,
    visitor: options.mode === 'app' ? inApp : { ...asked, revoke },
    async [Symbol.asyncDispose]() {
      await engine.close()
      stop()
      await Promise.all([ollama.close(), lmStudio.close()])
      await rm(home, { recursive: true, force: true })
    },
  }
}
