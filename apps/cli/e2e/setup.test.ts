/** From nothing to an AI: what is taken when none was chosen, `leuria setup` without a terminal, and completion. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI, runCli, startEngine, temporaryHome } from './cli-process.js'
import { openServices } from './services.js'

/** No model server of this machine's own is asked. */
const ALONE = { OLLAMA_HOST: '127.0.0.1:9' }

/** `script` of util-linux gives a program a terminal of its own. */
const HAS_SCRIPT = spawnSync('script', ['--version']).status === 0

async function savedAgent(home: string): Promise<unknown> {
  const text = await readFile(join(home, 'config.json'), 'utf8').catch(() => '{}')
  const saved: unknown = JSON.parse(text)
  return typeof saved === 'object' && saved !== null && 'agent' in saved ? saved.agent : undefined
}

describe('leuria start with no AI chosen', () => {
  it('takes a model of this computer that can use tools, says why, and keeps it', async () => {
    await using services = await openServices()
    const engine = await startEngine(services.options)
    await expect.poll(() => savedAgent(services.options.home), { timeout: 20_000 }).toBe('llm:lmstudio')
    await expect.poll(() => engine.said).toContain('leuria ai use <id>')
    expect(engine.said).toMatch(/LM Studio · qwen3-4b is your AI: it runs on this computer, costs nothing/)
    await engine.stop()
  })

  it('keeps what was chosen', async () => {
    await using services = await openServices()
    await runCli(['ai', 'use', 'demo'], services.options)
    const engine = await startEngine(services.options)
    await runCli(['ai', 'list'], services.options)
    const { stderr } = await engine.stop()
    expect(stderr).not.toContain('is your AI:')
    expect(await savedAgent(services.options.home)).toBe('demo')
  })

  it('says how to get one where there is none, and chooses nothing for good', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path, env: ALONE })
    const found = await runCli(['ai', 'list', '--json'], { home: home.path, env: ALONE })
    expect(found.code).toBe(0)
    await expect.poll(() => engine.said).toContain('No AI of yours was found, so the demo AI answers')
    await engine.stop()
    expect(await savedAgent(home.path)).toBeUndefined()
  })
})

describe('leuria setup without a terminal', () => {
  it('takes the best AI, tests it, and says both', async () => {
    await using services = await openServices()
    const { code, stdout } = await runCli(['setup'], services.options)
    expect(stdout).toContain('LM Studio · qwen3-4b is your AI: it runs on this computer')
    expect(stdout).toMatch(/✓ /)
    expect(code).toBe(0)
  })

  it('prints one JSON value with --json, and a second time finds the choice made', async () => {
    await using services = await openServices()
    const first = await runCli(['setup', '--json'], services.options)
    expect(JSON.parse(first.stdout)).toMatchObject({ id: 'llm:lmstudio', name: 'LM Studio · qwen3-4b' })
    const second = await runCli(['setup', '--json'], services.options)
    expect(JSON.parse(second.stdout)).toMatchObject({ id: 'llm:lmstudio', reason: 'you chose it' })
  })

  it('is content with the demo AI', async () => {
    await using home = await temporaryHome()
    const { code, stdout } = await runCli(['setup', '--json'], { home: home.path, env: ALONE })
    expect(JSON.parse(stdout)).toEqual({
      id: 'demo',
      name: 'Demo AI (no model)',
      reason: 'no other AI was found',
    })
    expect(code).toBe(0)
  })
})

describe.skipIf(!HAS_SCRIPT)('leuria setup in a terminal', () => {
  /** Runs it in a terminal and types when its question is there. */
  async function typed(
    home: string,
    env: Readonly<Record<string, string>>,
    keys: string,
  ): Promise<[number | null, string]> {
    const child = spawn(
      'script',
      ['-qefc', `stty rows 40 cols 100; exec ${process.execPath} ${CLI} setup`, '/dev/null'],
      {
        env: {
          PATH: process.env.PATH,
          HOME: home,
          LEURIA_HOME: home,
          TERM: 'xterm',
          ACP_REGISTRY_URL: 'http://127.0.0.1:9',
          ...env,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    )
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const ended = new Promise<number | null>((resolve) => {
      child.on('close', resolve)
    })
    await expect.poll(() => output, { timeout: 20_000 }).toContain('Which AI should answer')
    child.stdin.write(keys)
    return [await ended, output]
  }

  it('asks, with the best AI marked, takes the answer and tests it', { timeout: 60_000 }, async () => {
    await using services = await openServices()
    const [code, output] = await typed(services.options.home, services.options.env ?? {}, '\r')
    expect(output).toContain('recommended')
    expect(output).toContain("Uses a page's tool")
    expect(code).toBe(0)
    expect(await savedAgent(services.options.home)).toBe('llm:lmstudio')
  })

  it('changes nothing when it is left', { timeout: 60_000 }, async () => {
    await using services = await openServices()
    const [code, output] = await typed(services.options.home, services.options.env ?? {}, '\u0003')
    expect(output).toContain('leuria: Nothing was changed.')
    expect(code).toBe(1)
    expect(await savedAgent(services.options.home)).toBeUndefined()
  })
})

describe('leuria completion', () => {
  /** What bash offers after these words. */
  async function offered(...words: string[]): Promise<string[]> {
    await using home = await temporaryHome()
    const { stdout } = await runCli(['completion', 'bash'], { home: home.path })
    const typed = ['leuria', ...words].map((word) => `'${word}'`).join(' ')
    const script = `${stdout}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _leuria; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
  }

  it('offers commands, their commands and their options', async () => {
    expect(await offered('se')).toEqual(['setup'])
    expect(await offered('sites', '')).toEqual(['list', 'revoke', 'use', '--help'])
    expect(await offered('sites', 'revoke', '--')).toEqual(['--json', '--help'])
    expect(await offered('sites', 'revoke', 'https://shop.example', '--j')).toEqual(['--json'])
    expect(await offered('limits', 'set', '--json', '--tok')).toEqual(['--tokens-per-day'])
  })

  it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
    await using home = await temporaryHome()
    const { code, stdout } = await runCli(['completion', shell], { home: home.path })
    expect(code).toBe(0)
    expect(stdout).toContain('revoke')
  })

  it('says which shells it knows', async () => {
    await using home = await temporaryHome()
    const { code, stderr } = await runCli(['completion', 'cmd'], { home: home.path })
    expect([code, stderr.trim()]).toEqual([1, 'leuria: "cmd" isn\'t one of: bash, zsh, fish.'])
  })

  it('shows that every command that gives an answer gives it as JSON too', () => {
    const script = execFileSync(process.execPath, [CLI, 'completion', 'bash'], { encoding: 'utf8' })
    const commands = [...script.matchAll(/^ {4}"(.+)"\) echo "(.*)" ;;$/gm)].map(([, path, words]) => ({ path, words }))
    const leaves = commands.filter(({ path }) => !commands.some((other) => other.path?.startsWith(`${path} `)))
    expect(leaves.length).toBeGreaterThan(15)
    const without = leaves.filter(({ words }) => !words?.split(' ').includes('--json')).map(({ path }) => path)
    expect(without).toEqual(['completion'])
  })
})
