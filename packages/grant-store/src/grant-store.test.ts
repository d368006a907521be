import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grantsFile, type Origin, parseOrigin } from '@leuria/protocol'
import { createMark, nodeFs, type OpenMode, type StateFs } from '@leuria/state'
import { type FakeClock, fakeClock } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type GrantChange, type GrantStore, type GrantStoreOptions, openGrantStore } from './index.js'

/** Waits for something to become true; the limit is far above what a busy machine needs. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 2 })

let home: string
let path: string
let clock: FakeClock
let log: string[]
const stores: GrantStore[] = []

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-grants-'))
  path = join(home, 'grants.json')
  clock = fakeClock(new Date('2026-03-01T12:00:00Z'))
  log = []
})
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()))
  await rm(home, { recursive: true, force: true })
})

async function open(options: Partial<GrantStoreOptions> = {}): Promise<GrantStore> {
  const store = await openGrantStore({ home, clock, log: (line) => log.push(line), ...options })
  stores.push(store)
  return store
}

function origin(text: string): Origin {
  const parsed = parseOrigin(text)
  if (parsed === null) throw new Error(`${text} is no origin`)
  return parsed
}

const shop = origin('https://shop.example')
const blog = origin('https://blog.example')
const hash = (token: string): string => createHash('sha256').update(token).digest('hex')
const onDisk = async (): Promise<{ grants: unknown[] }> => grantsFile.parse(JSON.parse(await readFile(path, 'utf8')))

function changesOf(store: GrantStore): GrantChange[] {
  const changes: GrantChange[] = []
  store.subscribe((change) => changes.push(change))
  return changes
}

describe('a grant', () => {
  it('is on disk when it is issued: the token’s hash, never the token, in a private file', async () => {
    const store = await open()
    const { token } = await store.issue({ origin: shop, app: 'Mugs', needs: { tools: true } })
    expect(token).toMatch(/^[\w-]{43}$/)
    const text = await readFile(path, 'utf8')
    expect(text).not.toContain(token)
    expect(JSON.parse(text)).toEqual({
      version: 1,
      grants: [
        {
          origin: shop,
          app: 'Mugs',
          tokenHash: hash(token),
          createdAt: '2026-03-01T12:00:00.000Z',
          needs: { tools: true },
        },
      ],
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(home)).toEqual(['grants.json'])
  })

  it('lets in its own origin with its own token, and nobody else', async () => {
    const store = await open()
    const { token } = await store.issue({ origin: shop })
    const other = await store.issue({ origin: blog })
    expect(store.verify(shop, token)).toBe(true)
    for (const wrong of ['', token.slice(1), `${token} `, token.toUpperCase(), hash(token), other.token])
      expect(store.verify(shop, wrong)).toBe(false)
    expect(store.verify(blog, token)).toBe(false)
    for (const near of ['http://shop.example', 'https://shop.example:8443', 'https://a.shop.example'])
      expect(store.verify(origin(near), token)).toBe(false)
  })

  it('is there after a restart, and after a restart of another engine’s file without a version', async () => {
    const tokenHash = hash('old-token')
    await writeFile(path, JSON.stringify({ grants: [{ origin: 'HTTPS://Shop.Example', tokenHash, createdAt: 'x' }] }))
    const first = await open()
    expect(first.verify(shop, 'old-token')).toBe(true)
    const { token } = await first.issue({ origin: blog })
    await first.close()
    const second = await open()
    expect(second.verify(shop, 'old-token')).toBe(true)
    expect(second.verify(blog, token)).toBe(true)
    expect(second.list().map((grant) => grant.origin)).toEqual([shop, blog])
    expect(second.has(shop)).toBe(true)
    expect(second.get(shop)).toMatchObject({ origin: shop, tokenHash })
    expect(second.get(origin('https://nobody.example'))).toBeNull()
  })

  it('that is issued again has a new token only, keeps the AI, and replaces the needs', async () => {
    const store = await open()
    const first = await store.issue({ origin: shop, app: 'Mugs', needs: { images: true } })
    await store.choose(shop, { agent: 'demo', model: 'small' })
    await writeExtraField()
    await store.refresh()
    const second = await store.issue({ origin: shop })
    expect(store.verify(shop, first.token)).toBe(false)
    expect(store.verify(shop, second.token)).toBe(true)
    expect(store.get(shop)).toEqual({
      origin: shop,
      app: 'Mugs',
      tokenHash: hash(second.token),
      createdAt: '2026-03-01T12:00:00.000Z',
      agent: 'demo',
      model: { agent: 'demo', id: 'small' },
      skills: ['of another version'],
    })
  })

  async function writeExtraField(): Promise<void> {
    const file = await onDisk()
    const grants = file.grants.map((grant) => ({ ...(grant as object), skills: ['of another version'] }))
    await writeFile(path, JSON.stringify({ ...file, grants }))
  }

  it('can come with an AI', async () => {
    const store = await open()
    await store.issue({ origin: shop, agent: 'llm:local/big', model: { agent: 'llm:local', id: 'big' } })
    expect(store.get(shop)).toMatchObject({ agent: 'llm:local/big', model: { agent: 'llm:local', id: 'big' } })
  })
})

describe('revoking', () => {
  it('ends the token before it resolves, in memory and on disk', async () => {
    const store = await open()
    const { token } = await store.issue({ origin: shop })
    const changes = changesOf(store)
    expect(await store.revoke(shop)).toBe(true)
    expect(store.verify(shop, token)).toBe(false)
    expect(changes).toEqual([{ kind: 'revoked', origin: shop }])
    expect((await onDisk()).grants).toEqual([])
  })

  it('of an unknown site is false and writes nothing', async () => {
    const store = await open()
    expect(await store.revoke(shop)).toBe(false)
    expect(await readdir(home)).toEqual([])
  })

  it('is told to whoever opened the store that did it, once, and not when a token merely dies uncollected', async () => {
    const told: string[] = []
    const engine = await open({ revoked: (site) => told.push(`engine: ${site}`) })
    const cli = await open({ revoked: (site) => told.push(`cli: ${site}`) })
    await engine.issue({ origin: shop, uncollected: true })
    await engine.discardUncollected(shop)
    await cli.revoke(shop)
    expect(told).toEqual([])
    await engine.issue({ origin: shop })
    await cli.refresh()
    await cli.revoke(shop)
    await engine.refresh()
    await engine.revoke(shop)
    expect(told).toEqual([`cli: ${shop}`])
  })

  it('takes doubled and unreadable entries of the origin along', async () => {
    const tokenHash = hash('t')
    const entry = { origin: shop, tokenHash, createdAt: 'x' }
    await writeFile(path, JSON.stringify({ grants: [entry, { ...entry, tokenHash: 'new-format' }, entry] }))
    const store = await open()
    expect(store.verify(shop, 't')).toBe(true)
    expect(await store.revoke(shop)).toBe(true)
    expect((await onDisk()).grants).toEqual([])
  })

  it('is not undone by a last use that was waiting to be written', async () => {
    const store = await open()
    const { token } = await store.issue({ origin: shop })
    store.verify(shop, token)
    await store.revoke(shop)
    clock.advance(60_000)
    await store.close()
    expect((await onDisk()).grants).toEqual([])
  })
})

describe('choosing an AI', () => {
  it('is told as one change, and only when something changed', async () => {
    const store = await open()
    await store.issue({ origin: shop })
    const changes = changesOf(store)
    expect(await store.choose(shop, { agent: 'demo' })).toBe(true)
    expect(await store.choose(shop, { agent: 'demo' })).toBe(true)
    expect(await store.choose(shop, {})).toBe(true)
    expect(changes).toEqual([{ kind: 'ai_changed', origin: shop }])
    expect(await store.choose(blog, { agent: 'demo' })).toBe(false)
  })

  const choices: [string, object, object][] = [
    [
      'a model goes with the AI that is chosen',
      { agent: 'a', model: 'm' },
      { agent: 'a', model: { agent: 'a', id: 'm' } },
    ],
    ['another AI gets its own default model', { agent: 'b' }, { agent: 'b' }],
    ['the same AI keeps its model', { agent: 'x' }, { agent: 'x', model: { agent: 'x', id: 'y' } }],
    ['a model alone goes with the AI that is there', { model: 'm' }, { agent: 'x', model: { agent: 'x', id: 'm' } }],
    ['null is the AI’s default model', { model: null }, { agent: 'x' }],
    ['null is the default AI', { agent: null }, {}],
    ['a model of the default AI stays bare', { agent: null, model: 'm' }, { model: 'm' }],
  ]
  it.each(choices)('%s', async (_name, choice, expected) => {
    const store = await open()
    await store.issue({ origin: shop, agent: 'x', model: 'y' })
    await store.choose(shop, choice)
    const { agent, model } = store.get(shop) ?? {}
    expect(JSON.parse(JSON.stringify({ agent, model }))).toEqual(expected)
  })
})

describe('an uncollected token', () => {
  it('works, but its grant is gone at the next start', async () => {
    const store = await open()
    const { token } = await store.issue({ origin: shop, uncollected: true })
    expect(store.verify(shop, token)).toBe(true)
    await store.issue({ origin: blog })
    await crash(store)
    const next = await open()
    expect(next.has(shop)).toBe(false)
    expect(next.has(blog)).toBe(true)
    expect((await onDisk()).grants).toHaveLength(1)
  })

  /** Ends the store without what `close` would still write about it. */
  async function crash(store: GrantStore): Promise<void> {
    const text = await readFile(path, 'utf8')
    await store.close()
    await writeFile(path, text)
  }

  it('stays while its process lives, whatever other programs open the store', async () => {
    const store = await open()
    await store.issue({ origin: shop, uncollected: true })
    expect((await open()).has(shop)).toBe(true)
    await store.refresh()
    expect(store.has(shop)).toBe(true)
  })

  it('that was collected stays over restarts', async () => {
    const store = await open()
    await store.issue({ origin: shop, uncollected: true })
    await store.collected(shop)
    await crash(store)
    expect((await open()).has(shop)).toBe(true)
  })

  it('whose answer did not arrive after all can be taken back', async () => {
    const store = await open()
    await store.issue({ origin: shop, uncollected: true })
    await store.collected(shop)
    await store.uncollected(shop)
    await crash(store)
    expect((await open()).has(shop)).toBe(false)
  })

  it('can be taken back only while the grant has that token', async () => {
    const [store, other] = [await open(), await open()]
    await store.issue({ origin: shop })
    await other.issue({ origin: shop })
    await store.uncollected(shop)
    await store.uncollected(blog)
    expect(store.get(shop)).not.toHaveProperty('uncollected')
  })

  it('is discarded at its end; a collected one is not', async () => {
    const store = await open()
    await store.issue({ origin: shop, uncollected: true })
    await store.issue({ origin: blog, uncollected: true })
    await store.collected(blog)
    const changes = changesOf(store)
    await store.discardUncollected(shop)
    await store.discardUncollected(blog)
    await store.discardUncollected(origin('https://nobody.example'))
    expect(changes).toEqual([{ kind: 'revoked', origin: shop }])
  })

  it('of another process is neither discarded nor collected here', async () => {
    const [store, other] = [await open(), await open()]
    await store.issue({ origin: shop, uncollected: true })
    await other.discardUncollected(shop)
    await other.collected(shop)
    expect(other.get(shop)).toHaveProperty('uncollected')
  })

  it('that was used has arrived, even if its answer looked lost', async () => {
    const store = await open()
    const { token } = await store.issue({ origin: shop, uncollected: true })
    store.verify(shop, token)
    await store.discardUncollected(shop)
    expect(store.verify(shop, token)).toBe(true)

    const again = await store.issue({ origin: blog, uncollected: true })
    store.verify(blog, again.token)
    await store.close()
    expect((await open()).verify(blog, again.token)).toBe(true)
  })

  it('is not taken for arrived because the one before it was used', async () => {
    const store = await open()
    const old = await store.issue({ origin: shop })
    store.verify(shop, old.token)
    await store.issue({ origin: shop, uncollected: true })
    await store.discardUncollected(shop)
    expect(store.has(shop)).toBe(false)
  })

  it('with a mark of a process that nobody can ask stays', async () => {
    const uncollected = { ...createMark(), host: 'elsewhere' }
    await writeFile(
      path,
      JSON.stringify({ grants: [{ origin: shop, tokenHash: hash('t'), createdAt: 'x', uncollected }] }),
    )
    expect((await open()).has(shop)).toBe(true)
  })
})

describe('a request', () => {
  /** Counts everything that touches the disk. */
  function counting(): { fs: StateFs; count: () => number; writes: () => number } {
    let calls = 0
    let writes = 0
    const counted =
      <Args extends unknown[], Result>(work: (...args: Args) => Result) =>
      (...args: Args): Result => {
        calls += 1
        return work(...args)
      }
    const fs: StateFs = {
      open: counted((name: string, mode: OpenMode) => nodeFs.open(name, mode)),
      facts: counted((name: string) => nodeFs.facts(name)),
      realPath: counted((name: string) => nodeFs.realPath(name)),
      list: counted((name: string) => nodeFs.list(name)),
      rename: counted((from: string, to: string) => {
        writes += 1
        return nodeFs.rename(from, to)
      }),
      remove: counted((name: string) => nodeFs.remove(name)),
      makeFolder: counted((name: string) => nodeFs.makeFolder(name)),
      setMode: counted((name: string, mode: number) => nodeFs.setMode(name, mode)),
      syncFolder: counted((name: string) => nodeFs.syncFolder(name)),
      watch: () => () => undefined,
    }
    return { fs, count: () => calls, writes: () => writes }
  }

  it('is judged without touching the disk', async () => {
    const { fs, count } = counting()
    const store = await open({ fs })
    const { token } = await store.issue({ origin: shop })
    const before = count()
    for (let n = 0; n < 1_000; n += 1) {
      store.verify(shop, token)
      store.verify(shop, 'wrong')
      store.verify(blog, token)
      store.has(shop)
      store.get(shop)
    }
    store.list()
    expect(before).toBeGreaterThan(0)
    expect(count()).toBe(before)
  })

  it('is written down as the last use later, at most once a minute', async () => {
    const { fs, writes } = counting()
    const store = await open({ fs })
    const [a, b] = [await store.issue({ origin: shop }), await store.issue({ origin: blog })]
    const lastUses = (): unknown[] => store.list().map((grant) => grant.lastUsedAt)
    const changes = changesOf(store)
    store.verify(shop, 'wrong')
    store.verify(shop, a.token)
    clock.advance(999)
    expect(lastUses()).toEqual([undefined, undefined])
    clock.advance(1)
    await eventually(() => {
      expect(lastUses()).toEqual(['2026-03-01T12:00:00.000Z', undefined])
    })

    store.verify(shop, a.token)
    store.verify(blog, b.token)
    const before = writes()
    clock.advance(59_000)
    store.verify(shop, a.token)
    await store.refresh()
    expect(lastUses()).toEqual(['2026-03-01T12:00:00.000Z', undefined])
    expect(writes()).toBe(before)
    clock.advance(1_000)
    await eventually(() => {
      expect(lastUses()).toEqual(['2026-03-01T12:01:00.000Z', '2026-03-01T12:00:01.000Z'])
    })
    expect(changes).toEqual([])
    expect((await onDisk()).grants).toMatchObject([{ lastUsedAt: '2026-03-01T12:01:00.000Z' }, {}])
  })

  it('is written down by close', async () => {
    const store = await open()
    const { token } = await store.issue({ origin: shop })
    store.verify(shop, token)
    await store.close()
    expect((await onDisk()).grants).toMatchObject([{ lastUsedAt: '2026-03-01T12:00:00.000Z' }])
    expect(clock.pending).toBe(0)
  })

  it('goes on when its last use can not be saved, which is told once', async () => {
    const state = { isFull: false }
    const fs: StateFs = {
      ...nodeFs,
      open: (name, mode) =>
        state.isFull && mode === 'create'
          ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
          : nodeFs.open(name, mode),
    }
    const store = await open({ fs })
    const { token } = await store.issue({ origin: shop })
    state.isFull = true
    for (let minute = 0; minute < 3; minute += 1) {
      expect(store.verify(shop, token)).toBe(true)
      await clock.advanceAsync(60_000)
      await eventually(() => {
        expect(log).toHaveLength(1)
      })
    }
    expect(log[0]).toContain('There is no space left')
    await expect(store.revoke(shop)).rejects.toMatchObject({ code: 'disk_full' })
    expect(store.verify(shop, token)).toBe(true)
    state.isFull = false
  })
})

describe('changes of other processes', () => {
  it('are told without any request: added, token replaced, AI changed, revoked', async () => {
    const [engine, cli] = [await open({ clock: undefined }), await open({ clock: undefined })]
    const changes = changesOf(engine)
    const told = (wanted: GrantChange[]): Promise<void> =>
      eventually(() => {
        expect(changes.splice(0)).toEqual(wanted)
      })
    const first = await cli.issue({ origin: shop })
    await told([{ kind: 'added', origin: shop }])
    expect(engine.verify(shop, first.token)).toBe(true)

    const second = await cli.issue({ origin: shop })
    await told([{ kind: 'token_replaced', origin: shop }])
    expect(engine.verify(shop, first.token)).toBe(false)
    expect(engine.verify(shop, second.token)).toBe(true)

    await cli.choose(shop, { agent: 'demo' })
    await told([{ kind: 'ai_changed', origin: shop }])

    await cli.revoke(shop)
    await told([{ kind: 'revoked', origin: shop }])
    expect(engine.verify(shop, second.token)).toBe(false)
  })

  it('by hand: an edited, an emptied and a removed file', async () => {
    const store = await open()
    await store.issue({ origin: shop })
    await store.issue({ origin: blog })
    const changes = changesOf(store)
    const file = await onDisk()
    await writeFile(path, JSON.stringify({ ...file, grants: file.grants.slice(1) }))
    await store.refresh()
    expect(changes.splice(0)).toEqual([{ kind: 'revoked', origin: shop }])
    await rm(path)
    await store.refresh()
    expect(changes.splice(0)).toEqual([{ kind: 'revoked', origin: blog }])
  })

  it('reach every listener, also after one that throws, and none after its undo', async () => {
    const store = await open()
    store.subscribe(() => {
      throw new Error('boom')
    })
    const seen = vi.fn()
    const stop = store.subscribe(seen)
    await store.issue({ origin: shop })
    stop()
    await store.revoke(shop)
    expect(seen).toHaveBeenCalledOnce()
    expect(log).toContain('A listener for grant changes failed: boom')
  })
})

describe('a damaged grants.json', () => {
  // FC-21: never everyone paired, the bad file is kept before anything new is written, and a line says so.
  const cases: [string, string | Buffer][] = [
    ['0 bytes', ''],
    ['cut in half', '{"version":1,"grants":[{"origin":"https://shop.exam'],
    ['the wrong shape', '[]'],
    ['512 NUL bytes', Buffer.alloc(512)],
  ]
  it.each(cases)('%s: nobody is paired, it is kept, and a grant can be written', async (_name, content) => {
    await writeFile(path, content)
    const store = await open()
    expect(store.list()).toEqual([])
    expect(store.verify(shop, '')).toBe(false)
    const { token } = await store.issue({ origin: shop })
    expect(store.verify(shop, token)).toBe(true)
    const names = await readdir(home)
    const kept = names.find((name) => name !== 'grants.json') ?? ''
    expect(kept).toMatch(/^grants\.json\.damaged-2026-03-01T12-00-00Z$/)
    expect(await readFile(join(home, kept))).toEqual(Buffer.from(content))
    expect(log).toEqual([expect.stringContaining(kept)])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('only in one entry: that entry allows nothing and stays, the others work, a line says so', async () => {
    const good = { origin: blog, tokenHash: hash('t'), createdAt: 'x' }
    const odd = [{ origin: shop, tokenHash: 'md5:123', createdAt: 'x' }, 'text', null, { origin: 'file:///x' }]
    await writeFile(path, JSON.stringify({ version: 1, grants: [...odd, good] }))
    const store = await open()
    expect(store.list().map((grant) => grant.origin)).toEqual([blog])
    expect(store.verify(blog, 't')).toBe(true)
    await store.issue({ origin: origin('https://new.example') })
    expect((JSON.parse(await readFile(path, 'utf8')) as { grants: unknown[] }).grants.slice(0, 5)).toEqual([
      ...odd,
      good,
    ])
    expect(log).toEqual([expect.stringContaining('4 entries can')])
  })

  it('of a newer version is refused', async () => {
    await writeFile(path, '{"version":2,"grants":[]}')
    await expect(open()).rejects.toMatchObject({ code: 'newer_version' })
  })
})

it('a home that can not be written lets in who was let in before', async () => {
  const uncollected = { pid: process.pid, host: createMark().host, id: 'dead' }
  const entry = { origin: shop, tokenHash: hash('t'), createdAt: 'x' }
  await writeFile(path, JSON.stringify({ grants: [entry, { ...entry, origin: blog, uncollected }] }))
  const fs: StateFs = {
    ...nodeFs,
    open: (name, mode) =>
      mode === 'create' ? Promise.reject(Object.assign(new Error('ro'), { code: 'EROFS' })) : nodeFs.open(name, mode),
  }
  const store = await open({ fs })
  expect(store.verify(shop, 't')).toBe(true)
  await expect(store.issue({ origin: blog })).rejects.toMatchObject({ code: 'not_writable' })
  expect(log).toEqual([expect.stringContaining('never completed could not be removed')])
})
