import { appendFile, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeClock, fakeClock } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LineLog, type LineLogOptions, nodeFs, openLineLog, readLines, type StateFs } from './index.js'
import { LINE_LOG_PAUSE_MS } from './line-log.js'

/** Waits for something to become true; the limit is far above what a busy machine needs. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 2 })

let parent: string
let folder: string
let clock: FakeClock
let told: string[]
const logs: LineLog[] = []

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'leuria-lines-'))
  folder = join(parent, 'log')
  clock = fakeClock(new Date('2026-03-01T12:00:00Z'))
  told = []
})
afterEach(async () => {
  await Promise.all(logs.splice(0).map((log) => log.close()))
  await rm(parent, { recursive: true, force: true })
})

function open(options: Partial<LineLogOptions> = {}): LineLog {
  const log = openLineLog({
    folder,
    clock,
    log: (line) => told.push(line),
    maxDays: 3,
    maxBytes: 1_000,
    maxFileBytes: 100,
    maxQueuedBytes: 500,
    formatDropped: (count) => `lost ${count}`,
    ...options,
  })
  logs.push(log)
  return log
}

async function lines(options: { fromDay?: string; fs?: StateFs } = {}): Promise<string[]> {
  const all: string[] = []
  for await (const line of readLines({ folder, ...options })) all.push(line)
  return all
}

async function totalBytes(): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** A file system whose appending fails with `code` while it is set, after some bytes went. */
function failing(state: { code: string | null; after?: number }): StateFs {
  return {
    ...nodeFs,
    open: async (path, mode) => {
      const file = await nodeFs.open(path, mode)
      if (mode !== 'append') return file
      return {
        ...file,
        write: async (data) => {
          if (state.code === null) return file.write(data)
          const after = state.after ?? 0
          if (after > 0) {
            state.after = 0
            return file.write(data.subarray(0, after))
          }
          throw Object.assign(new Error(state.code), { code: state.code })
        },
      }
    },
  }
}

describe('writing', () => {
  it('appends to a private file of the day in a private folder', async () => {
    const log = open()
    log.append('one', clock.date())
    log.append('two', clock.date())
    await log.flush()
    expect(await readFile(join(folder, '2026-03-01.jsonl'), 'utf8')).toBe('one\ntwo\n')
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, '2026-03-01.jsonl'))).mode & 0o777).toBe(0o600)
  })

  it('takes the lines of one tick in one write, and touches nothing before', async () => {
    const opens = vi.fn()
    const fs: StateFs = {
      ...nodeFs,
      open: (path, mode) => {
        opens(mode)
        return nodeFs.open(path, mode)
      },
    }
    const log = open({ fs })
    for (let n = 0; n < 20; n += 1) log.append(String(n), clock.date())
    expect(opens).not.toHaveBeenCalled()
    await log.flush()
    expect(opens.mock.calls).toEqual([['append']])
    expect(await lines()).toHaveLength(20)
  })

  it('begins a new file with each UTC day, by the line’s own time', async () => {
    const log = open()
    log.append('late', new Date('2026-03-01T23:59:59.999Z'))
    log.append('early', new Date('2026-03-02T00:00:00Z'))
    await log.flush()
    expect(await readdir(folder)).toEqual(['2026-03-01.jsonl', '2026-03-02.jsonl'])
    expect(await lines()).toEqual(['late', 'early'])
    expect(await lines({ fromDay: '2026-03-02' })).toEqual(['early'])
  })

  it('makes one line of a text with line breaks', async () => {
    const log = open()
    log.append('one\ntwo', clock.date())
    await log.flush()
    expect(await lines()).toEqual(['one two'])
  })

  it('goes on in the next part when a file is full, in order beyond nine', async () => {
    const log = open({ maxBytes: 100_000 })
    const wanted = Array.from({ length: 24 }, (_, n) => `${n}:`.padEnd(49, '.'))
    for (const line of wanted) {
      log.append(line, clock.date())
      await log.flush()
    }
    const names = await readdir(folder)
    expect(names).toHaveLength(12)
    expect(names).toContain('2026-03-01.12.jsonl')
    expect((await stat(join(folder, '2026-03-01.jsonl'))).size).toBe(100)
    expect(await lines()).toEqual(wanted)
  })

  it('writes a line that is larger than a file may be', async () => {
    const log = open()
    log.append('x'.repeat(200), clock.date())
    log.append('y', clock.date())
    await log.flush()
    expect(await lines()).toEqual(['x'.repeat(200), 'y'])
  })

  it('joins what another process has begun', async () => {
    const [one, other] = [open(), open()]
    one.append('one', clock.date())
    await one.flush()
    other.append('two', clock.date())
    await other.flush()
    one.append('three', clock.date())
    await one.flush()
    expect(await lines()).toEqual(['one', 'two', 'three'])
  })

  it('does not let a line that a crash cut short spoil the next', async () => {
    const log = open()
    log.append('one', clock.date())
    await log.flush()
    await appendFile(join(folder, '2026-03-01.jsonl'), '{"cut')
    log.append('two', clock.date())
    await log.flush()
    expect(await lines()).toEqual(['one', '{"cut', 'two'])
  })
})

describe('keeping', () => {
  it('removes days that are too old, and nothing else', async () => {
    const log = open()
    log.append('x', clock.date())
    await log.flush()
    for (const name of ['2026-02-26.jsonl', '2026-02-25.jsonl', '2026-02-25.7.jsonl', 'notes.jsonl', '2026-01-01.txt'])
      await writeFile(join(folder, name), 'x\n')
    clock.setDate(new Date('2026-03-02T00:00:00Z'))
    log.append('y', clock.date())
    await log.flush()
    // 3 days before 2 March: 27 February is the first that stays.
    expect((await readdir(folder)).sort()).toEqual([
      '2026-01-01.txt',
      '2026-03-01.jsonl',
      '2026-03-02.jsonl',
      'notes.jsonl',
    ])
  })

  it('keeps the last day that is young enough', async () => {
    const log = open()
    log.append('x', new Date('2026-02-26T12:00:00Z'))
    log.append('x', new Date('2026-02-25T12:00:00Z'))
    await log.flush()
    log.append('y', clock.date())
    await log.flush()
    expect(await readdir(folder)).toEqual(['2026-02-26.jsonl', '2026-03-01.jsonl'])
  })

  it('never holds more than the limit, and loses the oldest first', async () => {
    const log = open()
    const largest: number[] = []
    for (let n = 0; n < 60; n += 1) {
      log.append(`${n}:`.padEnd(49, '.'), clock.date())
      await log.flush()
      largest.push(await totalBytes())
    }
    expect(Math.max(...largest)).toBeLessThanOrEqual(1_000)
    expect(Math.max(...largest)).toBeGreaterThan(800)
    const left = (await lines()).map((line) => Number(line.split(':')[0]))
    expect(left.at(-1)).toBe(59)
    expect(left).toEqual(Array.from({ length: left.length }, (_, n) => 60 - left.length + n))
  })
})

describe('a busy log', () => {
  it('writes a line after a calm at once, and what follows within the pause in one write', async () => {
    let writes = 0
    const fs: StateFs = { ...nodeFs, open: (...file) => ((writes += 1), nodeFs.open(...file)) }
    const log = open({ fs })
    log.append('one', clock.date())
    await eventually(() => {
      expect(clock.pending).toBe(1)
    })
    expect(await lines()).toEqual(['one'])
    for (const line of ['two', 'three', 'four']) {
      log.append(line, clock.date())
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await lines()).toEqual(['one'])
    clock.advance(LINE_LOG_PAUSE_MS)
    await eventually(() => {
      expect(writes).toBe(2)
    })
    await log.flush()
    expect(await lines()).toEqual(['one', 'two', 'three', 'four'])
    expect(writes).toBe(2)
  })

  it('writes at once what is waiting when it is asked to', async () => {
    const log = open()
    log.append('one', clock.date())
    await log.flush()
    log.append('two', clock.date())
    await log.flush()
    log.append('three', clock.date())
    await log.close()
    expect(await lines()).toEqual(['one', 'two', 'three'])
  })
})

describe('a disk that fails', () => {
  it('is reported once, and what waited is written when it works again', async () => {
    const state: { code: string | null } = { code: 'ENOSPC' }
    const log = open({ fs: failing(state) })
    log.append('one', clock.date())
    await log.flush()
    log.append('two', clock.date())
    clock.advance(5_000)
    await log.flush()
    expect(told).toEqual([`There is no space left to save ${folder}. Free some space and try again.`])
    state.code = null
    clock.advance(4_999)
    await log.flush()
    expect(await lines()).toEqual([])
    clock.advance(1)
    await log.flush()
    expect(await lines()).toEqual(['one', 'two'])
    expect(told.slice(1)).toEqual([`Writing to ${folder} works again.`])
    log.append('three', clock.date())
    await log.flush()
    expect(await lines()).toEqual(['one', 'two', 'three'])
  })

  it('neither loses nor repeats a line when it takes half of them', async () => {
    const state: { code: string | null; after: number } = { code: 'ENOSPC', after: 6 }
    const log = open({ fs: failing(state) })
    log.append('one', clock.date())
    log.append('two', clock.date())
    await log.flush()
    state.code = null
    clock.advance(5_000)
    await log.flush()
    // The half line is a line of its own now: readers pass it over.
    expect(await lines()).toEqual(['one', 'tw', 'two'])
  })

  it('fills the queue up to its limit; what is dropped is counted and told afterwards', async () => {
    const state: { code: string | null } = { code: 'EIO' }
    const log = open({ fs: failing(state) })
    const line = 'x'.repeat(99)
    for (let n = 0; n < 8; n += 1) log.append(line, clock.date())
    await log.flush()
    state.code = null
    clock.advance(5_000)
    await log.flush()
    expect(await lines()).toEqual([line, line, line, line, line, 'lost 3'])
  })

  it('is tried once more by close, which then ends', async () => {
    const state: { code: string | null } = { code: 'ENOSPC' }
    const log = open({ fs: failing(state) })
    log.append('one', clock.date())
    await log.flush()
    state.code = null
    await log.close()
    expect(await lines()).toEqual(['one'])
    expect(clock.pending).toBe(0)

    state.code = 'ENOSPC'
    const other = open({ fs: failing(state) })
    other.append('two', clock.date())
    await other.close()
    other.append('three', clock.date())
    await other.close()
    expect(await lines()).toEqual(['one'])
    expect(clock.pending).toBe(0)
  })

  it('that lost the folder gets a new one', async () => {
    const log = open()
    log.append('one', clock.date())
    await log.flush()
    await rm(folder, { recursive: true })
    log.append('two', clock.date())
    await log.flush()
    clock.advance(5_000)
    await log.flush()
    expect(await lines()).toEqual(['two'])
  })
})

describe('reading', () => {
  it('of a log that was never written gives nothing', async () => {
    expect(await lines()).toEqual([])
  })

  it('passes over lines that are too long, and gives whole characters across pieces', async () => {
    const log = open({ maxFileBytes: 1_000_000, maxQueuedBytes: 1_000_000, maxBytes: 10_000_000 })
    const long = 'é'.repeat(32_767)
    for (const line of ['a', long, 'b', 'x'.repeat(64 * 1024 + 1), 'c', 'x'.repeat(300_000), 'd'])
      log.append(line, clock.date())
    await log.flush()
    expect(await lines()).toEqual(['a', long, 'b', 'c', 'd'])
  })

  it('survives a file that is removed meanwhile', async () => {
    const log = open()
    log.append('x', clock.date())
    await log.flush()
    const gone = Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }))
    gone.catch(() => undefined)
    expect(await lines({ fs: { ...nodeFs, open: () => gone } })).toEqual([])
  })

  it('follows: shows whole lines as they come, over the turn of the day, and ends when told to', async () => {
    const log = open()
    log.append('old', clock.date())
    await log.flush()
    const stop = new AbortController()
    const seen: string[] = []
    const done = (async () => {
      for await (const line of readLines({ folder, follow: true, signal: stop.signal })) seen.push(line)
    })()
    const shows = (wanted: string[]): Promise<void> =>
      eventually(() => {
        expect(seen).toEqual(wanted)
      })
    await shows(['old'])
    await appendFile(join(folder, '2026-03-01.jsonl'), 'ha')
    log.append('tomorrow', new Date('2026-03-02T00:00:00Z'))
    await log.flush()
    await shows(['old', 'tomorrow'])
    await appendFile(join(folder, '2026-03-01.jsonl'), 'lf\n')
    await shows(['old', 'tomorrow', 'half'])
    stop.abort()
    await done
  })

  it('follows by the poll where there are no events', async () => {
    const log = open()
    const watch = (): never => {
      throw new Error('no watches')
    }
    const stop = new AbortController()
    const seen: string[] = []
    const done = (async () => {
      const options = { folder, follow: true, signal: stop.signal, clock, fs: { ...nodeFs, watch } }
      for await (const line of readLines(options)) seen.push(line)
    })()
    await eventually(() => {
      expect(clock.pending).toBe(1)
    })
    log.append('new', clock.date())
    await log.flush()
    clock.advance(2_000)
    await eventually(() => {
      expect(seen).toEqual(['new'])
    })
    stop.abort()
    await done
    expect(clock.pending).toBe(0)
  })

  it('does not follow what was over before it began', async () => {
    const reader = readLines({ folder, follow: true, signal: AbortSignal.abort() })
    expect(await reader.next()).toEqual({ done: true, value: undefined })
  })
})

it('a file whose time was changed by hand is still told by its name', async () => {
  const log = open()
  log.append('x', clock.date())
  await log.flush()
  await utimes(join(folder, '2026-03-01.jsonl'), 0, 0)
  const again = open()
  again.append('y', clock.date())
  await again.flush()
  expect(await lines()).toEqual(['x', 'y'])
})
