/** Several processes on one file, and processes that are killed while they write. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { grantsFile, type Origin, parseOrigin } from '@leuria/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type GrantStore, openGrantStore } from './index.js'

/** Waits for something to become true; the limit is far above what a busy machine needs. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 2 })

/** `LEURIA_TEST_ROUNDS=100` is the long form. */
const ROUNDS = Number(process.env['LEURIA_TEST_ROUNDS'] ?? 10)
const PROGRAM = fileURLToPath(new URL('grant-writer.fixture.ts', import.meta.url))

let home: string
const children = new Set<ChildProcess>()
const stores: GrantStore[] = []

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-crash-'))
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await Promise.all(stores.splice(0).map((store) => store.close()))
  await rm(home, { recursive: true, force: true })
})

async function open(): Promise<GrantStore> {
  const store = await openGrantStore({ home })
  stores.push(store)
  return store
}

interface Writer {
  /** What it was told is safe on disk: origin → token. */
  acknowledged: Map<Origin, string>
  begin(): void
  /** Resolves after that many lines. */
  until(count: number): Promise<void>
  kill(): Promise<void>
  ended: Promise<unknown>
}

/** Starts another process; it is ready to write when this resolves. */
async function startWriter(name: string, count: number): Promise<Writer> {
  const child = spawn(
    process.execPath,
    ['--conditions=@leuria/source', '--import', 'tsx', PROGRAM, home, name, String(count)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  children.add(child)
  const ended = once(child, 'close').finally(() => children.delete(child))
  const acknowledged = new Map<Origin, string>()
  let told: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [text = '', token] = line.split(' ')
      const origin = parseOrigin(text)
      if (origin !== null && token !== undefined) acknowledged.set(origin, token)
      else resolve()
      told()
    })
  })
  await ready
  return {
    acknowledged,
    ended,
    begin: () => child.stdin.write('go\n'),
    until: async (wanted) => {
      while (acknowledged.size < wanted)
        await new Promise<void>((resolve) => {
          told = resolve
        })
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The file as any program would find it: whole, private, with nothing half beside it after the next start. */
async function expectWhole(): Promise<void> {
  const file = grantsFile.parse(JSON.parse(await readFile(join(home, 'grants.json'), 'utf8')))
  expect(new Set(file.grants.map((grant) => grant.origin)).size).toBe(file.grants.length)
  expect((await stat(join(home, 'grants.json'))).mode & 0o777).toBe(0o600)
}

describe('kill -9 while grants are written', () => {
  it(
    `loses no acknowledged grant and leaves no half file, ${ROUNDS} times`,
    async () => {
      const acknowledged = new Map<Origin, string>()
      let next = startWriter('round-0', 0)
      for (let round = 0; round < ROUNDS; round += 1) {
        const writer = await next
        if (round + 1 < ROUNDS) next = startWriter(`round-${round + 1}`, 0)
        // Another process writes at the same time and must neither wait for the dead one nor lose anything.
        const bystander = await open()
        const survivor = bystander.issue({ origin: originOf(`survivor-${round}`) })
        writer.begin()
        await writer.until(1 + Math.floor(Math.random() * 12))
        await writer.kill()
        acknowledged.set(originOf(`survivor-${round}`), (await survivor).token)
        for (const [origin, token] of writer.acknowledged) acknowledged.set(origin, token)
        await expectWhole()
        await bystander.close()
        const store = await open()
        for (const [origin, token] of acknowledged) expect(store.verify(origin, token)).toBe(true)
        await store.close()
        await expectWhole()
        expect(await readdir(home)).toEqual(['grants.json'])
      }
      expect(acknowledged.size).toBeGreaterThanOrEqual(2 * ROUNDS)
    },
    60_000 + 10_000 * ROUNDS,
  )

  function originOf(name: string): Origin {
    const origin = parseOrigin(`https://${name}.example`)
    if (origin === null) throw new Error('not an origin')
    return origin
  }
})

describe('50 writers in 4 processes', () => {
  it('lose no grant, and a fifth process hears of each', async () => {
    const observer = await open()
    const heard: string[] = []
    observer.subscribe(({ kind, origin }) => heard.push(`${kind} ${origin}`))
    const writers = await Promise.all([13, 13, 12, 12].map((count, n) => startWriter(`writer-${n}`, count)))
    for (const writer of writers) writer.begin()
    await Promise.all(writers.map((writer) => writer.ended))
    const acknowledged = writers.flatMap((writer) => [...writer.acknowledged])
    expect(acknowledged).toHaveLength(50)
    await eventually(() => {
      expect(observer.list()).toHaveLength(50)
    })
    for (const [origin, token] of acknowledged) expect(observer.verify(origin, token)).toBe(true)
    expect(heard.sort()).toEqual(acknowledged.map(([origin]) => `added ${origin}`).sort())
    await observer.close()
    await expectWhole()
    expect(await readdir(home)).toEqual(['grants.json'])
  }, 60_000)
})
