/** A command that has nothing else to do must not end before its wait does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openLineLog } from './index.js'

it('a program waits for a lock, and follows a log, with nothing else that keeps it running', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leuria-waiting-'))
  const lock = join(folder, 'names.json.lock')
  await writeFile(lock, JSON.stringify({ pid: process.pid, host: hostname(), id: 'held' }))
  const program = fileURLToPath(new URL('waiting.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@leuria/source', '--import', 'tsx', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const log = openLineLog({
    folder: join(folder, 'log'),
    maxDays: 1,
    maxBytes: 1_000,
    maxFileBytes: 100,
    maxQueuedBytes: 100,
    formatDropped: String,
  })
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async (): Promise<unknown> => (await lines.next()).value
    expect(await next()).toBe('waiting')
    await rm(lock)
    expect(await next()).toBe('changed')
    expect(JSON.parse(await readFile(join(folder, 'names.json'), 'utf8'))).toEqual({ names: ['child'] })
    log.append('hello', new Date())
    expect(await next()).toBe('read hello')
    expect(await closed).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
    await log.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)
