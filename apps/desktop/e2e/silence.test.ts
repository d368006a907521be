/**
 * A page of a site that the visitor never connected, in a real Chromium, with the silent engine running: its script sees
 * what it sees of a port where nothing listens. What differs is listed here and named in SECURITY.md.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createPeer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumForTests } from '@leuria/tooling/chromium'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { readyPort, type Sidecar, startSidecar } from './sidecar-process.js'

const executablePath = chromiumForTests()

const PROBES = fileURLToPath(new URL('probes.page.js', import.meta.url))
const SECURITY = fileURLToPath(new URL('../../../SECURITY.md', import.meta.url))
/** A name that leads to this computer, as one does that a site rebound. */
const REBOUND = 'rebound.example'

/** What the script sees of the engine, and of nothing. */
interface Difference {
  engine: string
  nothing: string
}
type Differences = Record<string, Difference>

/** The empty 403 that the protocol asks for (Silence): where the browser keeps an answer from a script, it looks like this. */
const CLOSED_SOURCE = { EventSource: { engine: 'error in state 2', nothing: 'error in state 0' } }

/**
 * Requests that carry the page's Origin get that 403. In all other ways the browser makes it look like nothing; these two
 * let the bare fact of an answer through.
 */
const WITH_AN_ORIGIN: Differences = {
  ...CLOSED_SOURCE,
  'fetch, no-cors, POST': { engine: 'resolved: opaque 0 ', nothing: 'rejected: TypeError Failed to fetch' },
}

/** The browser connects before it asks itself whether the page may: that shows any program that listens, whatever it says. */
const WITHOUT_PERMISSION: Differences = CLOSED_SOURCE

/** Bytes were taken before the connection was cut: that, too, shows any program that listens. */
const REBOUND_NAME: Differences = {
  'XMLHttpRequest, POST': {
    engine: 'loadstart,upload loadstart,upload progress,upload load,upload loadend,error,loadend 0 ',
    nothing: 'loadstart,upload loadstart,upload error,upload loadend,error,loadend 0 ',
  },
}

/** The words that SECURITY.md has for them. */
const NAMED = ['no-cors POST', 'EventSource', 'upload events']

interface Server extends AsyncDisposable {
  readonly port: number
}

/** Any site: a page with the probes and nothing else. */
async function serveSite(): Promise<Server> {
  const script = await readFile(PROBES, 'utf8')
  const server = createServer((request, response) => {
    if (request.url === '/probes.js') response.setHeader('content-type', 'text/javascript').end(script)
    else response.setHeader('content-type', 'text/html').end(PAGE)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
/** Its icon is no request: one could come before or after its server is gone. */
const PAGE =
  '<!doctype html><title>Any site</title><link rel="icon" href="data:,"><script src="/probes.js"></script><body>'

/**
 * A port of this computer where nothing listens, nor will: it is the near end of a connection that stays. One that is
 * only free right now may be given to another test's server.
 */
async function deadPort(): Promise<Server> {
  const peer = createPeer().listen(0, '127.0.0.1')
  await new Promise((resolve) => peer.once('listening', resolve))
  const taken = connect((peer.address() as AddressInfo).port, '127.0.0.1')
  await new Promise((resolve) => taken.once('connect', resolve))
  return {
    port: taken.localPort ?? 0,
    async [Symbol.asyncDispose]() {
      taken.destroy()
      await new Promise((resolve) => peer.close(resolve))
    },
  }
}

type Seen = Readonly<Record<string, string>>

/** What the two saw differently, by name. */
function differences(engine: Seen, nothing: Seen): Differences {
  return Object.fromEntries(
    Object.entries(engine)
      .map(([name, seen]) => [name, { engine: seen, nothing: nothing[name] ?? 'missing' }] as const)
      .filter(([, seen]) => seen.engine !== seen.nothing),
  )
}

describe.skipIf(executablePath === null)('a page on an unconnected origin', () => {
  let home: string
  let sidecar: Sidecar
  let site: Server
  let publicSite: Server
  let browser: Browser
  let enginePort: number
  let nothing: Server

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'leuria-silence-'))
    sidecar = startSidecar({ home })
    ;[enginePort, nothing, site, publicSite] = await Promise.all([
      readyPort(sidecar),
      deadPort(),
      serveSite(),
      serveSite(),
    ])
    browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: [
        `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
        `--ip-address-space-overrides=127.0.0.1:${publicSite.port}=public`,
      ],
    })
  })
  afterAll(async () => {
    await browser.close()
    sidecar.child.stdin?.end()
    await sidecar.ended
    await site[Symbol.asyncDispose]()
    await publicSite[Symbol.asyncDispose]()
    await nothing[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  })

  /** Everything that the page's script sees of a port, the port's number left out. */
  async function probe(page: Page, base: string): Promise<Seen> {
    const seen = z.record(z.string(), z.string()).parse(await page.evaluate(`probeAll(${JSON.stringify(base)})`))
    expect(Object.keys(seen).length).toBeGreaterThan(30)
    const { port } = new URL(base)
    return Object.fromEntries(Object.entries(seen).map(([name, what]) => [name, what.replaceAll(port, 'PORT')]))
  }

  /** What a page from there sees of the engine and of nothing. */
  async function compare(from: string, baseOf: (port: number) => string, allowLocal = false): Promise<Differences> {
    const see = async (port: number): Promise<Seen> => {
      const context = await browser.newContext()
      try {
        if (allowLocal) await context.grantPermissions(['local-network-access'], { origin: new URL(from).origin })
        const page = await context.newPage()
        await page.goto(from)
        return await probe(page, baseOf(port))
      } finally {
        await context.close()
      }
    }
    return differences(await see(enginePort), await see(nothing.port))
  }

  const local = (): string => `http://127.0.0.1:${site.port}/`

  it.each(['127.0.0.1', 'localhost'])(
    'sees no more of http://%s than of a closed port, but for what is known',
    async (host) => {
      expect(await compare(local(), (port) => `http://${host}:${port}`)).toEqual(WITH_AN_ORIGIN)
    },
  )

  // Names that lead here, too, but aren't the engine's: it says nothing at all.
  it.each(['x.localhost', '0.0.0.0', REBOUND])('sees nothing of http://%s', async (host) => {
    expect(await compare(local(), (port) => `http://${host}:${port}`)).toEqual({})
  })

  it('sees nothing over TLS', async () => {
    expect(await compare(local(), (port) => `https://127.0.0.1:${port}`)).toEqual({})
  })

  it('reads nothing when its own name has been rebound to this computer', async () => {
    /** The page is loaded from its own server; then the engine, or nothing, has the port, as after a change in DNS. */
    const see = async (takeOver: (port: number) => Promise<() => Promise<unknown>>): Promise<Seen> => {
      const own = await serveSite()
      const page = await browser.newPage()
      const base = `http://${REBOUND}:${own.port}`
      await page.goto(base)
      await own[Symbol.asyncDispose]()
      const end = await takeOver(own.port)
      try {
        return await probe(page, base)
      } finally {
        await page.close()
        await end()
      }
    }
    const withEngine = await see(async (port) => {
      const taking = startSidecar({ home, args: ['--port', String(port)] })
      await readyPort(taking)
      return () => {
        taking.child.stdin?.end()
        return taking.ended
      }
    })
    const withNothing = await see(() => Promise.resolve(() => Promise.resolve()))
    expect(differences(withEngine, withNothing)).toEqual(REBOUND_NAME)
  })

  it('of a public address sees no more, whether or not it may reach the local network', async () => {
    const from = `http://127.0.0.1:${publicSite.port}/`
    const base = (port: number): string => `http://127.0.0.1:${port}`
    expect(await compare(from, base, true)).toEqual(WITH_AN_ORIGIN)
    expect(await compare(from, base)).toEqual(WITHOUT_PERMISSION)
  })

  it('finds every known difference named in SECURITY.md', async () => {
    const text = await readFile(SECURITY, 'utf8')
    for (const words of NAMED) expect(text).toContain(words)
  })
})
