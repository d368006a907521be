/**
 * Somebody new, with an empty home: types what README.md shows under "Use an AI of your own", line by line, and ends with
 * a connected site and an answer from each kind of AI. What the lines name is played by programs of this test.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { npmEntry, openAgentWorld } from './agent-world.js'
import { CLI, type RunOptions, startEngine, temporaryHome } from './cli-process.js'
import { connectSite } from './connect-site.js'
import { makeOwnAgent } from './own-agent.js'
import { openServices } from './services.js'
import { openSession } from './site-session.js'

const README = readFileSync(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8')

/** The README's lines that begin so, without their comments. */
function lines(...beginnings: string[]): string[] {
  const all = README.split('\n').filter((line) => line.startsWith('leuria '))
  const found = beginnings.map((beginning) => all.find((line) => line.startsWith(beginning)))
  return found.map((line, at) =>
    (line ?? expect.fail(`README.md has no line "${beginnings[at]}"`)).replace(/ {2,}#.*/, ''),
  )
}

interface Typist {
  /** Types a line into a shell that knows `leuria`. */
  type: (line: string) => Promise<string>
}

/** A shell in the newcomer's home. */
async function sitDown({ home, env = {} }: RunOptions): Promise<Typist> {
  const bin = join(home, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'leuria'), `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`)
  await chmod(join(bin, 'leuria'), 0o755)
  const path = [bin, env.PATH ?? process.env.PATH].join(delimiter)
  return {
    async type(line) {
      const { stdout } = await promisify(execFile)('bash', ['-c', line], {
        cwd: home,
        env: { HOME: home, LEURIA_HOME: home, ...env, PATH: path },
      })
      return stdout
    },
  }
}

/** Connects a site to an engine on that home and lets it ask for a tool's result. */
async function answerOf(options: RunOptions): Promise<string> {
  const engine = await startEngine(options)
  try {
    const origin = 'https://shop.example'
    const token = await connectSite(engine, origin)
    const tools = {
      count_stock: {
        description: 'Counts what is in stock.',
        inputSchema: { type: 'object', properties: { product: { type: 'string' } } },
        run: () => ({ stock: 473 }),
      },
    }
    const session = await openSession({
      engine,
      origin,
      token,
      tools,
      body: { prompt: 'How many lamps are in stock?' },
    })
    await session.act('approve')
    const { data } = await session.until('turn_completed')
    return JSON.stringify(data)
  } finally {
    await engine.stop()
  }
}

describe('a newcomer who follows README.md', { timeout: 120_000 }, () => {
  it('gets an answer from the demo AI with nothing done at all', async () => {
    await using home = await temporaryHome()
    expect(await answerOf({ home: home.path, env: { OLLAMA_HOST: '127.0.0.1:9' } })).toContain('473')
  })

  it('gets an answer from a model of this computer', async () => {
    await using services = await openServices()
    const { type } = await sitDown(services.options)
    const [list = '', use = '', test = ''] = lines('leuria ai ', 'leuria ai use llm:ollama', 'leuria ai test')
    expect(await type(list)).toContain('llm:ollama/llama3.2')
    expect(await type(use)).toContain('is your AI from now on')
    expect(await type(test)).toContain("✓ Uses a page's tool")
    expect(await answerOf(services.options)).toContain('473')
  })

  it('gets an answer from a server of their own, with a key', async () => {
    await using services = await openServices()
    const { type } = await sitDown(services.options)
    const [add = '', use = ''] = lines('leuria providers add', 'leuria ai use llm:my-server')
    await writeFile(join(services.options.home, 'key.txt'), 'sk-secret\n')
    // The address and the model's name are the newcomer's own.
    await type(add.replace('https://api.example.com/v1', services.mine.url))
    expect(await type(use.replace('some-model', 'qwen3'))).toContain('My server · qwen3 is your AI from now on')
    expect(await answerOf(services.options)).toContain('473')
  })

  it('gets an answer from an agent, in its box', async ({ skip }) => {
    await using world = await openAgentWorld()
    const { type } = await sitDown(world.options)
    const doctor = await type('leuria doctor || true')
    if (!doctor.includes('✓ Box')) skip('there is no sandbox on this machine')
    const command = await makeOwnAgent(world.folder, {
      tools: 'http',
      prompts: [[{ call: 'count_stock', arguments: { product: 'lamp' } }, { say: 'It says {{result}}' }]],
    })
    // An agent of the list is its maker's program and needs its service; the visitor's own takes the same way.
    await type(`leuria agents add mine --command "${command}" --read "${world.folder}"`)
    const [list = '', use = ''] = lines('leuria agents ', 'leuria ai use claude-acp')
    expect(await type(list)).toContain('mine')
    expect(await type(use.replace('claude-acp', 'mine'))).toContain('is your AI from now on')
    expect(await answerOf(world.options)).toContain('473')
  })

  it('installs and signs in to an agent of the list', async () => {
    await using world = await openAgentWorld()
    world.serve(npmEntry('codex-acp'))
    const { type } = await sitDown(world.options)
    const [install = '', login = ''] = lines('leuria agents install', 'leuria login')
    expect(await type(install.replace('claude-acp', 'codex-acp'))).toContain('is installed')
    expect(await type(`${login.replace('claude-acp', 'codex-acp')} --method chatgpt`)).toContain('You are signed in')
  })
})
