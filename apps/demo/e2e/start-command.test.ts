/** `npm start` as a newcomer types it: both addresses, both usable, and nothing left after Ctrl+C. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

/** Everything that has the marker in its environment: what was started, and what that started. */
async function processesOf(marker: string): Promise<string[]> {
  const { stdout } = await run('ps', ['eww', '-eo', 'pid,args'], { maxBuffer: 32 * 1024 * 1024 })
  return stdout.split('\n').filter((line) => line.includes(marker))
}

function output(child: ChildProcess): { text: string } {
  const seen = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (seen.text += chunk.toString()))
  return seen
}

it('starts the engine and the shop, says where they are, and ends cleanly', { timeout: 180_000 }, async () => {
  const home = await mkdtemp(join(tmpdir(), 'leuria-start-'))
  const marker = `LEURIA_TEST_MARKER=${home}`
  const started = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      CI: '',
      LEURIA_HOME: home,
      LEURIA_PORT: '0',
      LEURIA_DEMO_PORT: '0',
      LEURIA_TEST_MARKER: home,
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => started.on('close', resolve))
  const seen = output(started)
  try {
    await expect
      .poll(() => seen.text, { timeout: 150_000, interval: 200 })
      .toMatch(/Demo shop +http\S+[^]*Engine +http\S+[^]*Ctrl\+C/)
    const [shop, engine] = [/Demo shop +(http\S+)/, /Engine +(http\S+)/].map(
      (pattern) => pattern.exec(seen.text)?.[1] ?? '',
    )
    expect(await (await fetch(shop ?? '')).text()).toContain('<title>')
    expect(await (await fetch(`${engine ?? ''}/health`)).json()).toMatchObject({
      ok: true,
      agent: 'Demo AI (no model)',
    })
    // The terminal sends Ctrl+C to the whole group.
    process.kill(-(started.pid ?? 0), 'SIGINT')
    expect(await ended).toBe(0)
  } finally {
    if (started.exitCode === null) process.kill(-(started.pid ?? 0), 'SIGKILL')
    await rm(home, { recursive: true, force: true })
  }
  await expect.poll(() => processesOf(marker), { timeout: 20_000 }).toEqual([])
})
