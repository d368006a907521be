/** Faults of the disk, crashes at every step of a write, and locks that others left or hold. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from '@leuria/clock'
import { fakeClock } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { type JsonFile, nodeFs, openJsonFile, type StateFs } from './index.js'

/** Waits for something to become true; the limit is far above what a busy machine needs. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 2 })

const schema = z.looseObject({ version: z._default(z.number(), 1), ids: z.array(z.string()) })
type Ids = z.infer<typeof schema>

let folder: string
let path: string
const opened: JsonFile<Ids>[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leuria-faults-'))
  path = join(folder, 'ids.json')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((file) => file.close()))
  await rm(folder, { recursive: true, force: true })
})

async function open(options: { fs?: StateFs; clock?: Clock } = {}): Promise<JsonFile<Ids>> {
  const file = await openJsonFile({ path, schema, empty: () => ({ version: 1, ids: [] }), ...options })
  opened.push(file)
  return file
}

const add = (id: string) => (value: Ids) => ({ ...value, ids: [...value.ids, id] })
const onDisk = async (): Promise<string[]> => schema.parse(JSON.parse(await readFile(path, 'utf8'))).ids

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** Node's file system, with a fault in what is done to the temporary file. */
function withTemporary(fault: { write?: string; sync?: string; open?: string }): StateFs {
  return {
    ...nodeFs,
    open: async (name, mode) => {
      if (!name.endsWith('.tmp')) return nodeFs.open(name, mode)
      if (fault.open !== undefined) throw failure(fault.open)
      const file = await nodeFs.open(name, mode)
      return {
        ...file,
        write: async (data) => {
          if (fault.write === undefined) return file.write(data)
          await file.write(data.subarray(0, 5))
          throw failure(fault.write)
        },
        sync: () => (fault.sync === undefined ? file.sync() : Promise.reject(failure(fault.sync))),
      }
    },
  }
}

const rejecting = (code: string) => () => Promise.reject(failure(code))

describe('a fault while writing', () => {
  const faults: [string, string, StateFs][] = [
    ['a full disk in the middle of the content', 'disk_full', withTemporary({ write: 'ENOSPC' })],
    ['a quota', 'disk_full', withTemporary({ open: 'EDQUOT' })],
    ['a bad sector at fsync', 'write_failed', withTemporary({ sync: 'EIO' })],
    ['a folder that may not be written', 'not_writable', withTemporary({ open: 'EACCES' })],
    ['a read-only disk', 'not_writable', { ...nodeFs, open: readOnlyOpen }],
    ['a failing rename', 'write_failed', { ...nodeFs, rename: rejecting('EIO') }],
  ]
  function readOnlyOpen(...[name, mode]: Parameters<StateFs['open']>): ReturnType<StateFs['open']> {
    return mode === 'create' ? Promise.reject(failure('EROFS')) : nodeFs.open(name, mode)
  }

  it.each(faults)('%s: says %s, keeps the old file whole and leaves nothing behind', async (_name, code, fs) => {
    await (await open()).update(add('old'))
    const file = await open({ fs })
    const failed = file.update(add('new'))
    await expect(failed).rejects.toMatchObject({ name: 'StateError', code, cause: expect.any(Error) as unknown })
    await expect(failed).rejects.toThrow(path)
    expect(await onDisk()).toEqual(['old'])
    expect(file.value.ids).toEqual(['old'])
    expect(await readdir(folder)).toEqual(['ids.json'])
  })

  it('ends with the fault: the next change works', async () => {
    const fault: { write?: string } = { write: 'ENOSPC' }
    const file = await open({ fs: withTemporary(fault) })
    await expect(file.update(add('a'))).rejects.toMatchObject({ code: 'disk_full' })
    delete fault.write
    expect((await file.update(add('b'))).ids).toEqual(['b'])
  })

  it('of the folder after the rename: is told, and memory says what the file says', async () => {
    const file = await open({ fs: { ...nodeFs, syncFolder: rejecting('EIO') } })
    await expect(file.update(add('a'))).rejects.toMatchObject({ code: 'write_failed' })
    expect(file.value.ids).toEqual(await onDisk())
  })

  it('comes from writing in small pieces as well: no piece is lost', async () => {
    const fs: StateFs = {
      ...nodeFs,
      open: async (name, mode) => {
        const file = await nodeFs.open(name, mode)
        return { ...file, write: (data) => file.write(name.endsWith('.tmp') ? data.subarray(0, 3) : data) }
      },
    }
    await (await open({ fs })).update(add('a'.repeat(100)))
    expect(await onDisk()).toEqual(['a'.repeat(100)])
  })
})

describe('a crash', () => {
  /** FC-21 (e): a process that kills itself right before the named step of its second write. */
  async function crashBefore(step: string): Promise<void> {
    const child = spawn(
      process.execPath,
      [
        '--conditions=@leuria/source',
        '--import',
        'tsx',
        fileURLToPath(new URL('crash.fixture.ts', import.meta.url)),
        path,
        step,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const [, signal] = (await once(child, 'exit')) as [unknown, unknown]
    expect(signal).toBe('SIGKILL')
  }

  const steps = ['create', 'write', 'sync', 'rename', 'syncFolder']
  it('at any step of a write leaves the old content or the new, whole, and the next start works', async () => {
    const homes = await Promise.all(
      steps.map(async (step) => {
        const home = join(folder, step)
        path = join(home, 'ids.json')
        await crashBefore(step)
        return home
      }),
    )
    for (const [at, home] of homes.entries()) {
      path = join(home, 'ids.json')
      const expected = steps[at] === 'syncFolder' ? ['first', 'second'] : ['first']
      expect(await onDisk()).toEqual(expected)
      const file = await open()
      expect(file.value.ids).toEqual(expected)
      await file.update(add('third'))
      expect(await onDisk()).toEqual([...expected, 'third'])
      expect(await readdir(home)).toEqual(['ids.json'])
    }
  }, 60_000)
})

describe('the lock', () => {
  const lockPath = (): string => `${path}.lock`
  const lockOf = (pid: number): string => JSON.stringify({ pid, host: hostname(), id: 'x' })

  /** The id of a process that has ended. */
  async function deadPid(): Promise<number> {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    return child.pid ?? 0
  }

  it('of a dead process is cleared at once, with what it left', async () => {
    await writeFile(lockPath(), lockOf(await deadPid()))
    await writeFile(`${path}.0123456789ab.tmp`, '{"ids":["half')
    await writeFile(`${lockPath()}.0123456789abcdef`, lockOf(await deadPid()))
    await writeFile(join(folder, 'somebody.else.tmp'), '')
    const file = await open({ clock: fakeClock() })
    await file.update(add('a'))
    expect((await readdir(folder)).sort()).toEqual(['ids.json', 'somebody.else.tmp'])
  })

  it('of this very process from an earlier life (a container gives the same id again) is cleared at once', async () => {
    await writeFile(lockPath(), lockOf(process.pid))
    await (await open({ clock: fakeClock() })).update(add('a'))
    expect(await onDisk()).toEqual(['a'])
  })

  it('of another computer is waited for, and cleared when nothing moved for 10 s', async () => {
    await expectClearedAfter(JSON.stringify({ pid: 1, host: 'elsewhere', id: 'x' }), 10_000)
  })

  it('of a live process is waited for, and cleared when nothing moved for 10 s', async () => {
    await expectClearedAfter(lockOf(process.ppid), 10_000)
  })

  it.each(['', '{"pid"', '[]'])(
    'without a readable name (%j) is cleared when nothing moved for 2 s',
    async (content) => {
      await expectClearedAfter(content, 2_000)
    },
  )

  async function expectClearedAfter(content: string, limitMs: number): Promise<void> {
    await writeFile(lockPath(), content)
    const clock = fakeClock()
    const file = await open({ clock })
    const update = file.update(add('a'))
    const settled = vi.fn()
    update.then(settled, settled)
    const stepMs = 100
    while (clock.now() < limitMs - stepMs) {
      await nextTry(clock)
      clock.advance(stepMs)
    }
    await nextTry(clock)
    expect(settled).not.toHaveBeenCalled()
    expect(await readFile(lockPath(), 'utf8')).toBe(content)
    clock.advance(2 * stepMs)
    expect((await update).ids).toEqual(['a'])
    expect(await readdir(folder)).toEqual(['ids.json'])
  }

  /** Waits until the writer pauses: its timer is beside the poll's. */
  async function nextTry(clock: ReturnType<typeof fakeClock>): Promise<void> {
    await eventually(() => {
      expect(clock.pending).toBe(2)
    })
  }

  it('that goes from hand to hand for 30 s ends the wait with a clear error', async () => {
    const clock = fakeClock()
    let turn = 0
    const fs: StateFs = {
      ...nodeFs,
      open: async (name, mode) => {
        if (name === lockPath() && mode === 'create') {
          turn += 1
          await writeFile(lockPath(), JSON.stringify({ pid: process.ppid, host: hostname(), id: `holder-${turn}` }))
        }
        return nodeFs.open(name, mode)
      },
    }
    const file = await open({ clock, fs })
    const failed = expect(file.update(add('a'))).rejects.toMatchObject({
      code: 'locked',
      message: `Another program is using ${path}. Try again in a moment.`,
    })
    while (clock.now() < 30_000) {
      await nextTry(clock)
      clock.advance(1_000)
    }
    await failed
    expect(await readdir(folder)).toEqual(['ids.json.lock'])
  })

  it('that was taken away in the middle of a write: the write starts over and loses neither side', async () => {
    const dead = await deadPid()
    let isFirst = true
    const fs: StateFs = {
      ...nodeFs,
      open: async (name, mode) => {
        const file = await nodeFs.open(name, mode)
        if (!name.endsWith('.tmp') || !isFirst) return file
        isFirst = false
        return {
          ...file,
          sync: async () => {
            await file.sync()
            await writeFile(lockPath(), lockOf(dead))
            await writeFile(path, '{"ids":["theirs"]}')
          },
        }
      },
    }
    const file = await open({ fs })
    expect((await file.update(add('ours'))).ids).toEqual(['theirs', 'ours'])
    expect(await onDisk()).toEqual(['theirs', 'ours'])
    expect(await readdir(folder)).toEqual(['ids.json'])
  })

  it('that can not be filled because the disk is full is taken away again', async () => {
    const fs: StateFs = {
      ...nodeFs,
      open: async (name, mode) => {
        const file = await nodeFs.open(name, mode)
        return name === lockPath() && mode === 'create' ? { ...file, write: rejecting('ENOSPC') } : file
      },
    }
    const file = await open({ fs, clock: systemClock })
    await expect(file.update(add('a'))).rejects.toMatchObject({ code: 'disk_full' })
    expect(await readdir(folder)).toEqual([])
  })
})
