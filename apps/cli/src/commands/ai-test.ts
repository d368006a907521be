/** `leuria ai test`: whether an AI really works with a page, step by step. */
import { findProfile } from '@leuria/agent-acp'
import { runSelfTest, type SelfTestStep } from '@leuria/self-test'
import { untilInterrupted } from '../agent-registry.js'
import { warn } from '../home.js'
import { printJson } from '../print-json.js'
import { withVisitorAgents } from './ai.js'
import { findAi, readAi } from './ai-use.js'

export interface AiTestFlags {
  model?: string
  json?: boolean
}

function showStep({ ok, name, detail }: SelfTestStep): void {
  console.log(`${ok ? '✓' : '✗'} ${name}: ${detail}`)
}

/** Tests the default AI when `id` is absent. Exit code 1 when it doesn't work. @throws UserError for an unknown AI */
export async function testAi(id: string | undefined, { model, json }: AiTestFlags): Promise<void> {
  await withVisitorAgents(async (agents) => {
    const wanted = readAi({ id: id ?? agents.source.idFor(null), ...(model === undefined ? {} : { model }) })
    const { kind } = findAi(agents, wanted.agent)
    await agents.refresh()
    const choice = id === undefined && model === undefined ? null : { agent: wanted.agent, model: wanted.model }
    if (json !== true) console.log(`Testing ${agents.source.nameFor(choice)} with a page's tool.`)
    const result = await runSelfTest({
      agents: agents.source,
      choice,
      signal: untilInterrupted(),
      // Services have no tools besides the page's; an agent is a program with its own.
      ...(kind === 'agent' ? { box: { harmless: findProfile(wanted.agent).ownTools } } : {}),
      ...(json === true ? {} : { onStep: showStep, onStatus: warn }),
    })
    if (json === true) printJson({ ai: agents.source.nameFor(choice), ...result })
    if (!result.ok) process.exitCode = 1
  })
}
