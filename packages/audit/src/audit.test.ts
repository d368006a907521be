import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEntry } from '@leuria/agent'
import { nodeFs, type StateFs } from '@leuria/state'
import { type FakeClock, fakeClock } from '@leuria/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Audit,
  auditFolder,
  type AuditOptions,
  type AuditRecord,
  openAudit,
  readAudit,
  type ReadAuditOptions,
} from './index.js'

/** Waits for something to become true; the limit is far above what a busy machine needs. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 2 })

let home: string
let clock: FakeClock
let told: string[]
const audits: Audit[] = []

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-audit-'))
  clock = fakeClock(new Date('2026-03-01T12:00:00Z'))
  told = []
})
afterEach(async () => {
  await Promise.all(audits.splice(0).map((audit) => audit.close()))
  await rm(home, { recursive: true, force: true })
})

function open(options: Partial<AuditOptions> = {}): Audit {
  const audit = openAudit({ home, clock, log: (line) => told.push(line), ...options })
  audits.push(audit)
  return audit
}

async function read(options: Partial<ReadAuditOptions> = {}): Promise<AuditRecord[]> {
  const all: AuditRecord[] = []
  for await (const record of readAudit({ home, ...options })) all.push(record)
  return all
}

const origin = 'https://shop.example'
const file = (): string => join(home, 'audit', '2026-03-01.jsonl')

/** One of each kind. */
const ENTRIES: AuditEntry[] = [
  { kind: 'pairing_asked', origin, app: 'Mugs' },
  { kind: 'pairing_answered', origin, allowed: true },
  { kind: 'session_started', origin, sessionId: 's1', agent: 'demo' },
  { kind: 'tool_called', origin, sessionId: 's1', tool: 'search', outcome: 'ok' },
  { kind: 'tool_called', origin, sessionId: 's1', tool: 'search', outcome: 'timed_out' },
  { kind: 'permission_refused', origin, sessionId: 's1', tool: 'Bash' },
  { kind: 'tool_outside_page', origin, sessionId: 's1', tool: 'Read' },
  { kind: 'session_ended', origin, sessionId: 's1', status: 'failed', code: 'crashed' },
  { kind: 'request_refused', origin, method: 'POST', path: '/session/prepare', status: 401 },
  { kind: 'grant_revoked', origin },
]

describe('recording', () => {
  it('keeps every kind of entry, with its time, in a private file of the day', async () => {
    const audit = open()
    for (const entry of ENTRIES) audit.record(entry)
    await audit.flush()
    expect(await read()).toEqual(ENTRIES.map((entry) => ({ ...entry, at: '2026-03-01T12:00:00.000Z' })))
    const lines = (await readFile(file(), 'utf8')).split('\n')
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toHaveLength(ENTRIES.length)
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect((await stat(auditFolder(home))).mode & 0o777).toBe(0o700)
  })

  it('keeps nothing but the known fields: content that slips in is left out', async () => {
    const audit = open()
    audit.record(Object.assign({ arguments: { card: '4111' }, result: 'secret' }, ENTRIES[3]!))
    await audit.flush()
    expect(await readFile(file(), 'utf8')).not.toMatch(/4111|secret/)
    expect(await read()).toHaveLength(1)
  })

  it('keeps no query of a refused request: there are keys in it', async () => {
    const audit = open()
    audit.record({ kind: 'request_refused', origin, method: 'GET', path: '/webmcp/x?token=abc#def', status: 403 })
    await audit.flush()
    expect(await read()).toMatchObject([{ path: '/webmcp/x' }])
  })

  it.each([300, 301])('cuts names so that no site fills the log with one line (%i characters)', async (length) => {
    const audit = open()
    audit.record({ kind: 'tool_called', origin, sessionId: 's', tool: 'x'.repeat(length), outcome: 'unknown_tool' })
    await audit.flush()
    const [record] = await read()
    expect(record).toMatchObject({ tool: length === 300 ? 'x'.repeat(300) : `${'x'.repeat(299)}…` })
  })

  it('returns at once and never throws, whatever it is given', async () => {
    const audit = open()
    const entries: unknown[] = [
      null,
      undefined,
      7,
      {},
      { kind: 'grant_revoked' },
      { kind: 'tool_called', origin, sessionId: 's', tool: 't', outcome: 'odd' },
      {
        kind: 'grant_revoked',
        get origin(): string {
          throw new Error('no')
        },
      },
    ]
    for (const entry of entries) audit.record(entry as AuditEntry)
    audit.record(ENTRIES[0]!)
    await audit.flush()
    expect(await read()).toHaveLength(1)
  })

  it('reports a full disk once, and goes on when there is room', async () => {
    const disk = { isFull: true }
    const fs: StateFs = {
      ...nodeFs,
      open: async (path, mode) => {
        const opened = await nodeFs.open(path, mode)
        const full = (): Promise<number> => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
        return disk.isFull && mode === 'append' ? { ...opened, write: full } : opened
      },
    }
    const audit = open({ fs })
    for (const entry of ENTRIES) {
      audit.record(entry)
      await audit.flush()
      clock.advance(5_000)
      await audit.flush()
    }
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('no space left')
    disk.isFull = false
    clock.advance(5_000)
    await audit.flush()
    expect((await read()).map(({ kind }) => kind)).toEqual(ENTRIES.map(({ kind }) => kind))
  })

  it('holds a bounded number of entries while the disk takes none, and says how many were lost', async () => {
    const disk = { isFull: true }
    const fs: StateFs = {
      ...nodeFs,
      open: (path, mode) =>
        disk.isFull && mode === 'append'
          ? Promise.reject(Object.assign(new Error('full'), { code: 'EIO' }))
          : nodeFs.open(path, mode),
    }
    const audit = open({ fs })
    const entry: AuditEntry = { kind: 'permission_refused', origin, sessionId: 's', tool: 'x'.repeat(290) }
    for (let n = 0; n < 12_000; n += 1) audit.record(entry)
    await audit.flush()
    disk.isFull = false
    clock.advance(5_000)
    await audit.flush()
    const records = await read()
    const lost = records.at(-1)
    expect(lost).toMatchObject({ kind: 'entries_lost' })
    expect(records.length - 1 + (lost?.kind === 'entries_lost' ? lost.count : 0)).toBe(12_000)
    expect((await stat(file())).size).toBeLessThanOrEqual(4 * 1024 * 1024 + 200)
  })

  it('is finished by close; later entries are ignored', async () => {
    const audit = open()
    audit.record(ENTRIES[0]!)
    await audit.close()
    audit.record(ENTRIES[1]!)
    await audit.close()
    expect(await read()).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('keeps 30 days', async () => {
    const audit = open()
    audit.record(ENTRIES[0]!)
    await audit.flush()
    for (const [days, kept] of [
      [30, true],
      [31, false],
    ] as const) {
      clock.setDate(new Date(Date.UTC(2026, 2, 1 + days, 12)))
      audit.record(ENTRIES[1]!)
      await audit.flush()
      expect((await readdir(auditFolder(home))).includes('2026-03-01.jsonl')).toBe(kept)
    }
  })

  it('keeps 50 MB at most', async () => {
    const audit = open()
    audit.record(ENTRIES[0]!)
    await audit.flush()
    const fiveMegabytes = Buffer.alloc(5 * 1024 * 1024, 'x\n')
    for (let part = 2; part <= 11; part += 1)
      await writeFile(join(auditFolder(home), `2026-03-01.${part}.jsonl`), fiveMegabytes)
    const next = open()
    next.record(ENTRIES[1]!)
    await next.flush()
    const names = await readdir(auditFolder(home))
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(auditFolder(home), name))).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(50 * 1024 * 1024)
    expect(names).toContain('2026-03-01.12.jsonl')
    expect(names).not.toContain('2026-03-01.jsonl')
  })
})

describe('reading', () => {
  it('passes over damaged lines and lines of another version', async () => {
    const audit = open()
    audit.record(ENTRIES[0]!)
    await audit.flush()
    await appendFile(file(), 'garbage\n{"at":"never","kind":"grant_revoked","origin":"x"}\n{"at":')
    await appendFile(file(), '\n{"at":"2026-03-01T12:00:00.000Z","kind":"of_next_year","origin":"x"}\n{"cut')
    audit.record(ENTRIES[1]!)
    await audit.flush()
    expect((await read()).map(({ kind }) => kind)).toEqual(['pairing_asked', 'pairing_answered'])
  })

  it('shows one origin only, and what happened since then', async () => {
    const audit = open()
    const other = 'https://blog.example'
    audit.record({ kind: 'grant_revoked', origin })
    await audit.flush()
    clock.setDate(new Date('2026-03-02T08:00:00Z'))
    audit.record({ kind: 'grant_revoked', origin: other })
    clock.setDate(new Date('2026-03-02T09:00:00Z'))
    audit.record({ kind: 'grant_revoked', origin })
    await audit.flush()
    const times = async (options: Partial<ReadAuditOptions>): Promise<string[]> =>
      (await read(options)).map(({ at }) => at.slice(8, 13))
    expect(await times({})).toEqual(['01T12', '02T08', '02T09'])
    expect(await times({ origin })).toEqual(['01T12', '02T09'])
    expect(await times({ since: new Date('2026-03-01T12:00:00.001Z') })).toEqual(['02T08', '02T09'])
    expect(await times({ origin, since: new Date('2026-03-02T09:00:00Z') })).toEqual(['02T09'])
    expect(await times({ since: new Date('2026-03-03T00:00:00Z') })).toEqual([])
  })

  it('follows until it is told to stop', async () => {
    const stop = new AbortController()
    const seen: string[] = []
    const done = (async () => {
      for await (const record of readAudit({ home, follow: true, signal: stop.signal, origin })) seen.push(record.kind)
    })()
    const audit = open()
    audit.record({ kind: 'grant_revoked', origin: 'https://blog.example' })
    audit.record(ENTRIES[0]!)
    await eventually(() => {
      expect(seen).toEqual(['pairing_asked'])
    })
    audit.record(ENTRIES[1]!)
    await audit.flush()
    await eventually(() => {
      expect(seen).toEqual(['pairing_asked', 'pairing_answered'])
    })
    stop.abort()
    await done
  })

  it('gives back what was recorded, whatever the names', async () => {
    const audit = open()
    const name = fc.string({ unit: 'binary', maxLength: 150 })
    await fc.assert(
      fc.asyncProperty(name, async (tool) => {
        audit.record({ kind: 'tool_outside_page', origin, sessionId: 's', tool })
        await audit.flush()
        expect((await read()).at(-1)).toMatchObject({ tool })
      }),
      { numRuns: 30 },
    )
  })
})
