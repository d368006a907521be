import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock } from '@leuria/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { type JsonFile, type JsonFileOptions, nodeFs, openJsonFile, StateError, type StateFs } from './index.js'

/** Waits for something to become true; the limit is far above what a busy machine needs. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 2 })

const schema = z.looseObject({
  version: z._default(z.number(), 1),
  items: z.array(z.looseObject({ id: z.string() })),
})
type Items = z.infer<typeof schema>

let folder: string
let path: string
let log: string[]
const opened: JsonFile<Items>[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leuria-state-'))
  path = join(folder, 'items.json')
  log = []
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((file) => file.close()))
  await rm(folder, { recursive: true, force: true })
})

async function open(options: Partial<JsonFileOptions<Items>> = {}): Promise<JsonFile<Items>> {
  const file = await openJsonFile({
    path,
    schema,
    empty: () => ({ version: 1, items: [] }),
    log: (line) => log.push(line),
    ...options,
  })
  opened.push(file)
  return file
}

const add = (id: string) => (value: Items) => ({ ...value, items: [...value.items, { id }] })
const ids = (value: Items): string[] => value.items.map((item) => item.id)
const onDisk = async (): Promise<Items> => schema.parse(JSON.parse(await readFile(path, 'utf8')))
const modeOf = async (name: string): Promise<number> => (await stat(name)).mode & 0o777

describe('a file', () => {
  it('is made by the first change, private to the user, pretty, with a line break at the end', async () => {
    path = join(folder, 'deep', 'home', 'items.json')
    const file = await open()
    expect(file.value).toEqual({ version: 1, items: [] })
    expect(await readdir(join(folder, 'deep', 'home'))).toEqual([])
    await file.update(add('a'))
    expect(await readFile(path, 'utf8')).toBe(
      '{\n  "version": 1,\n  "items": [\n    {\n      "id": "a"\n    }\n  ]\n}\n',
    )
    expect(await modeOf(path)).toBe(0o600)
    expect(await modeOf(join(folder, 'deep', 'home'))).toBe(0o700)
    expect(await readdir(join(folder, 'deep', 'home'))).toEqual(['items.json'])
  })

  it('and its folder are closed to other users when they were open', async () => {
    await writeFile(path, '{"items":[]}', { mode: 0o644 })
    await chmod(folder, 0o755)
    await open()
    expect(await modeOf(path)).toBe(0o600)
    expect(await modeOf(folder)).toBe(0o700)
  })

  it('leaves a folder that everybody shares as it is, and says so', async () => {
    await chmod(folder, 0o1777)
    await open()
    expect((await stat(folder)).mode & 0o7777).toBe(0o1777)
    expect(log).toEqual([expect.stringContaining('Other users can look into')])
  })

  it('keeps unknown fields at every level', async () => {
    const old = { version: 1, later: { a: [1, null] }, items: [{ id: 'a', later: true, deep: { er: [{}] } }] }
    await writeFile(path, JSON.stringify(old))
    const file = await open()
    await file.update(add('b'))
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ ...old, items: [...old.items, { id: 'b' }] })
  })

  it('keeps any JSON that it does not know, for all of it', async () => {
    const file = await open()
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (extra) => {
        const known: unknown = JSON.parse(JSON.stringify(extra))
        await writeFile(path, JSON.stringify({ version: 1, extra: known, items: [{ id: 'x', extra: known }] }))
        await file.update((value) => add('y')(value))
        expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
          version: 1,
          extra: known,
          items: [{ id: 'x', extra: known }, { id: 'y' }],
        })
      }),
      { numRuns: 25 },
    )
  })

  it('reads a file with a byte order mark', async () => {
    await writeFile(path, '\uFEFF{"items":[{"id":"a"}]}')
    expect(ids((await open()).value)).toEqual(['a'])
  })

  it('stays a link when it is one', async () => {
    const elsewhere = join(folder, 'elsewhere')
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, 'real.json'), '{"items":[{"id":"a"}]}')
    await symlink(join(elsewhere, 'real.json'), path)
    const file = await open()
    await file.update(add('b'))
    expect(ids(schema.parse(JSON.parse(await readFile(join(elsewhere, 'real.json'), 'utf8'))))).toEqual(['a', 'b'])
    expect(await readdir(folder)).toEqual(['elsewhere', 'items.json'])
  })

  it('is made again when its folder was removed meanwhile', async () => {
    path = join(folder, 'home', 'items.json')
    const file = await open()
    await rm(join(folder, 'home'), { recursive: true })
    await file.update(add('a'))
    expect(ids(await onDisk())).toEqual(['a'])
    expect(await modeOf(join(folder, 'home'))).toBe(0o700)
  })
})

describe('changes', () => {
  it('are applied in order and share writes', async () => {
    let renames = 0
    const fs = {
      ...nodeFs,
      rename: (from: string, to: string) => {
        renames += 1
        return nodeFs.rename(from, to)
      },
    }
    const file = await open({ fs })
    const wanted = Array.from({ length: 200 }, (_, n) => `id-${n}`)
    const values = await Promise.all(wanted.map((id) => file.update(add(id))))
    expect(ids(await onDisk())).toEqual(wanted)
    expect(values.every((value) => value.items.length > 0)).toBe(true)
    expect(renames).toBeLessThan(5)
  })

  it('are on disk when they resolve, and told to listeners before', async () => {
    const file = await open()
    const told: string[][] = []
    const stop = file.subscribe((value, previous) => told.push(ids(previous), ids(value)))
    const value = await file.update(add('a'))
    expect(told).toEqual([[], ['a']])
    expect(value).toBe(file.value)
    expect(await onDisk()).toEqual(value)
    stop()
    await file.update(add('b'))
    expect(told).toHaveLength(2)
  })

  it('that fail reject alone', async () => {
    const file = await open()
    const results = await Promise.allSettled([
      file.update(add('a')),
      file.update(() => {
        throw new RangeError('no')
      }),
      file.update(add('b')),
    ])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: expect.any(RangeError) as unknown })
    expect(ids(await onDisk())).toEqual(['a', 'b'])
  })

  it('that change nothing write nothing', async () => {
    const file = await open()
    await file.update((value) => value)
    expect(await readdir(folder)).toEqual([])
  })

  it('that the next start could not read are refused', async () => {
    const file = await open()
    await file.update(add('a'))
    const wrong = { version: 1, items: [{ id: 7 }] } as unknown as Items
    await expect(file.update(() => wrong)).rejects.toMatchObject({ name: 'StateError', code: 'invalid_value' })
    expect(ids(await onDisk())).toEqual(['a'])
  })

  it('are finished by close; later ones are refused', async () => {
    const file = await open()
    const pending = file.update(add('a'))
    await file.close()
    expect(ids(await pending)).toEqual(['a'])
    await expect(file.update(add('b'))).rejects.toMatchObject({ code: 'closed' })
    await file.close()
  })

  it('survive a listener that throws', async () => {
    const file = await open()
    file.subscribe(() => {
      throw new Error('boom')
    })
    await file.update(add('a'))
    expect(ids(await onDisk())).toEqual(['a'])
    expect(log).toEqual(['A listener for changes failed: boom'])
  })
})

describe('a damaged file', () => {
  // FC-21 (a) to (d), and other ways to be damaged.
  const cases: [string, Buffer][] = [
    ['0 bytes', Buffer.alloc(0)],
    ['cut in half', Buffer.from('{"version":1,"items":[{"id":"https://shop.exam')],
    ['the wrong shape', Buffer.from('[]')],
    ['512 NUL bytes', Buffer.alloc(512)],
    ['an entry of the wrong shape', Buffer.from('{"items":[{"id":1}]}')],
    ['bytes that are not UTF-8', Buffer.from('{"items":[{"id":"\xff"}]}', 'latin1')],
    ['a bare null', Buffer.from('null')],
  ]
  it.each(cases)('%s: reads as empty, is kept under another name, and nothing is lost', async (_name, bytes) => {
    await writeFile(path, bytes, { mode: 0o644 })
    const file = await open()
    expect(file.value).toEqual({ version: 1, items: [] })
    await file.update(add('new'))
    const names = await readdir(folder)
    const kept = names.filter((name) => name.startsWith('items.json.damaged-'))
    expect(kept).toHaveLength(1)
    expect(await readFile(join(folder, kept[0]!))).toEqual(bytes)
    expect(await modeOf(join(folder, kept[0]!))).toBe(0o600)
    expect(ids(await onDisk())).toEqual(['new'])
    expect(await modeOf(path)).toBe(0o600)
    expect(log).toHaveLength(1)
    expect(log[0]).toContain(kept[0]!)
  })

  it('never takes the name of an earlier one', async () => {
    const clock = fakeClock()
    for (const content of ['one', 'two', 'three']) {
      await writeFile(path, content)
      await (await open({ clock })).close()
    }
    const kept = await Promise.all((await readdir(folder)).sort().map((name) => readFile(join(folder, name), 'utf8')))
    expect(kept.sort()).toEqual(['one', 'three', 'two'])
  })

  it('never shows its content in the log', async () => {
    await writeFile(path, '{"apiKey":"sk-secret')
    await open()
    expect(log.join()).not.toContain('sk-secret')
  })

  it('that can not be renamed still reads as empty and is never overwritten', async () => {
    await writeFile(path, 'broken')
    const fs = {
      ...nodeFs,
      rename: () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' })),
    }
    const file = await open({ fs })
    expect(file.value.items).toEqual([])
    await expect(file.update(add('a'))).rejects.toMatchObject({ code: 'not_writable' })
    expect(await readFile(path, 'utf8')).toBe('broken')
    expect(log).toHaveLength(1)
  })

  it('that appears while the program runs is noticed, kept, and reads as empty', async () => {
    const file = await open()
    await file.update(add('a'))
    await writeFile(path, '{"items": [')
    await file.refresh()
    expect(file.value.items).toEqual([])
    await file.update(add('b'))
    expect(ids(await onDisk())).toEqual(['b'])
    expect((await readdir(folder)).filter((name) => name.includes('damaged'))).toHaveLength(1)
  })
})

describe('a file of a newer version', () => {
  const newer = '{"version":2,"items":[{"id":"a"}]}'

  it('is refused with a clear error and left alone', async () => {
    await writeFile(path, newer)
    await expect(open()).rejects.toMatchObject({
      code: 'newer_version',
      message: expect.stringContaining('Update Leuria') as unknown,
    })
    expect(await readdir(folder)).toEqual(['items.json'])
    expect(await readFile(path, 'utf8')).toBe(newer)
  })

  it('that appears later allows nothing and is not overwritten', async () => {
    const file = await open()
    await file.update(add('a'))
    await writeFile(path, newer)
    await expect(file.update(add('b'))).rejects.toMatchObject({ code: 'newer_version' })
    await file.refresh()
    await file.refresh()
    expect(file.value.items).toEqual([])
    expect(await readFile(path, 'utf8')).toBe(newer)
    expect(log).toHaveLength(1)
  })

  it('of the same version is not newer', async () => {
    await writeFile(path, newer)
    expect(ids((await open({ version: 2 })).value)).toEqual(['a'])
  })
})

describe('changes of other processes', () => {
  it('arrive by the events of the folder', async () => {
    const [one, other] = [await open(), await open()]
    const seen = vi.fn()
    other.subscribe((value) => {
      seen(ids(value))
    })
    await one.update(add('a'))
    await eventually(() => {
      expect(seen).toHaveBeenCalledWith(['a'])
    })
    expect(seen).toHaveBeenCalledOnce()
  })

  it('arrive by the poll where there are no events', async () => {
    const clock = fakeClock()
    const fs = {
      ...nodeFs,
      watch: () => {
        throw Object.assign(new Error('no watches left'), { code: 'ENOSPC' })
      },
    }
    const [one, other] = [await open(), await open({ clock, fs })]
    await one.update(add('a'))
    clock.advance(2_000)
    await eventually(() => {
      expect(ids(other.value)).toEqual(['a'])
    })
  })

  it('are merged, not overwritten, when this process has not heard of them yet', async () => {
    const clock = fakeClock()
    const [one, other] = [await open(), await open({ clock })]
    await one.update(add('a'))
    expect(ids(await other.update(add('b')))).toEqual(['a', 'b'])
  })

  it('are believed only at the second look when the file vanished: an editor may be saving it', async () => {
    const clock = fakeClock()
    const file = await open({ clock, fs: { ...nodeFs, watch: () => () => undefined } })
    await file.update(add('a'))
    const text = await readFile(path, 'utf8')
    await rm(path)
    clock.advance(2_000)
    await eventually(() => {
      // The poll of the next round, and the second look.
      expect(clock.pending).toBe(2)
    })
    expect(ids(file.value)).toEqual(['a'])
    await writeFile(path, text)
    clock.advance(250)
    await file.refresh()
    expect(ids(file.value)).toEqual(['a'])

    await rm(path)
    clock.advance(2_000)
    await eventually(() => {
      expect(clock.pending).toBe(2)
    })
    clock.advance(250)
    await eventually(() => {
      expect(file.value.items).toEqual([])
    })
  })

  it('that were read before a change of this process do not bring the older value back after it', async () => {
    const gate = { isClosed: false, open: (): void => undefined }
    const fs: StateFs = {
      ...nodeFs,
      open: async (name, mode) => {
        const opened = await nodeFs.open(name, mode)
        return { ...opened, readAll: () => readThenWait(() => opened.readAll()) }
      },
    }
    const readThenWait = async (read: () => Promise<Buffer>): Promise<Buffer> => {
      const bytes = await read()
      if (!gate.isClosed) return bytes
      gate.isClosed = false
      await new Promise<void>((resolve) => {
        gate.open = resolve
      })
      return bytes
    }
    const clock = fakeClock()
    const file = await open({ fs, clock })
    await (await open()).update(add('theirs'))
    gate.isClosed = true
    const look = file.refresh()
    await eventually(() => {
      expect(gate.isClosed).toBe(false)
    })
    await file.update(add('ours'))
    gate.open()
    await look
    expect(ids(file.value)).toEqual(['theirs', 'ours'])
  })

  it('leave no timer behind after close', async () => {
    const clock = fakeClock()
    const file = await open({ clock })
    await file.update(add('a'))
    await file.close()
    expect(clock.pending).toBe(0)
  })
})

describe('a file that can not be read', () => {
  const state = { isBroken: true }
  const fs: StateFs = {
    ...nodeFs,
    open: (name, mode) =>
      state.isBroken && mode === 'read' && name === path
        ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
        : nodeFs.open(name, mode),
  }
  beforeEach(() => {
    state.isBroken = true
  })

  it('is refused at the start, and never overwritten', async () => {
    await writeFile(path, '{"items":[{"id":"a"}]}')
    await expect(open({ fs })).rejects.toBeInstanceOf(StateError)
    await expect(open({ fs })).rejects.toMatchObject({ code: 'unreadable' })
    expect(ids(await onDisk())).toEqual(['a'])
  })

  it('for a moment does not lose what was known, and is told once', async () => {
    state.isBroken = false
    const clock = fakeClock()
    const file = await open({ fs, clock })
    await file.update(add('a'))
    state.isBroken = true
    await (await open()).update(add('b'))
    for (let round = 1; round <= 3; round += 1) {
      clock.advance(2_000)
      await expect(file.refresh()).rejects.toMatchObject({ code: 'unreadable' })
    }
    await expect(file.update(add('c'))).rejects.toMatchObject({ code: 'unreadable' })
    expect(ids(file.value)).toEqual(['a'])
    expect(log).toEqual([expect.stringContaining("can't be read (EIO)")])
    state.isBroken = false
    expect(ids(await file.update(add('c')))).toEqual(['a', 'b', 'c'])
  })
})
