/**
 * A visitor with a home and a scripted agent of their own, as a program in its real box, behind a whole engine. What the
 * agent does is written before each session: every session starts the program anew.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openAgentRegistry } from '@leuria/agent-registry'
import { openBox } from '@leuria/agent-sandbox'
import type { AcpScript } from '@leuria/testing'
import { buildSync } from 'esbuild'
import { vi } from 'vitest'
import { openTestEngine, type TestEngine } from '../engine.fixture.js'
import type { EngineOptions } from '../engine-options.js'

export const AGENT_ID = 'mine'

export interface BoxedAgentWorld extends AsyncDisposable {
  readonly test: TestEngine
  /** The visitor's home folder; the engine's own home is in it. */
  readonly visitorHome: string
  /** Where boxes have their private folders. */
  readonly scratch: string
  /** What the agent does from its next start on. */
  play(script: AcpScript): Promise<void>
}

/** Makes the engine of this process see another home folder and another folder for temporary files. */
export async function boxedAgentWorld(options: Partial<EngineOptions> = {}): Promise<BoxedAgentWorld> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'leuria-boxed-')))
  const place = { visitorHome: join(top, 'home'), agent: join(top, 'agent'), scratch: join(top, 'scratch') }
  for (const folder of Object.values(place)) await mkdir(folder)
  const home = join(place.visitorHome, '.leuria')
  vi.stubEnv('HOME', place.visitorHome)
  vi.stubEnv('TMPDIR', place.scratch)
  const program = join(place.agent, 'agent.mjs')
  const script = join(place.agent, 'script.json')
  buildSync({
    entryPoints: [fileURLToPath(import.meta.resolve('@leuria/testing/acp-agent-program'))],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  await writeFile(script, '{}')
  const registry = await openAgentRegistry({ home })
  const commandLine = `${process.execPath} ${program} ${script}`
  await registry.addOwn({ id: AGENT_ID, name: 'Mine', commandLine, readable: [place.agent] })
  await registry.close()
  // Where the machine has no sandbox, an agent that nobody checked runs only with the visitor's word for it.
  await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, trusted: [AGENT_ID] }))
  const test = await openTestEngine({ home, defaultAgent: AGENT_ID, ...options })
  return {
    ...{ test, visitorHome: place.visitorHome, scratch: place.scratch },
    play: (next) => writeFile(script, JSON.stringify(next)),
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]()
      vi.unstubAllEnvs()
      await rm(top, { recursive: true, force: true })
    },
  }
}

/** Why agents have no sandbox here; null: they have one. */
export async function whyUnboxed(): Promise<string | null> {
  const box = await openBox()
  await box.close()
  return box.kind === 'none' ? box.proof.message : null
}
