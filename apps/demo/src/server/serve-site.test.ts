import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeEngine, rawRequest } from '@leuria/testing'
import { serveSite, type Site } from './serve-site.js'
import { askApprovals, withConfig } from './page-config.js'

const PAGE = '<meta name="leuria-engine" content="" /><meta name="leuria-approvals" content="" />'

describe('the site’s server', () => {
  let folder: string
  let site: Site
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leuria-site-'))
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), PAGE)
    await writeFile(join(folder, 'notes.html'), `${PAGE} <title>Notes</title>`)
    await writeFile(join(folder, 'assets', 'a.js'), 'export {}')
    site = await serveSite({ folder, engineUrl: 'http://127.0.0.1:4321/' })
  })
  afterEach(async () => {
    await site.close()
    await rm(folder, { recursive: true })
  })

  it('serves the page with the engine’s address in it', async () => {
    const response = await fetch(site.url)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<meta name="leuria-engine" content="http://127.0.0.1:4321"')
  })

  it('serves every page at its name, with the engine’s address in it', async () => {
    const text = await (await fetch(`${site.url}notes`)).text()
    expect(text).toContain('<title>Notes</title>')
    expect(text).toContain('content="http://127.0.0.1:4321"')
    for (const path of ['notes.html', 'index.html', 'notes/']) expect((await fetch(site.url + path)).status).toBe(404)
  })

  it('keeps the page’s address when a query follows', async () => {
    expect((await fetch(`${site.url}?engine=http://127.0.0.1:1`)).status).toBe(200)
  })

  it('lets the page run its own code only and talk to this computer only', async () => {
    const { headers } = await fetch(site.url)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('connect-src http://127.0.0.1:* ws://127.0.0.1:* http://localhost:* ws://localhost:*')
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  it('serves nothing but the files that were built', async () => {
    const { port } = new URL(site.url)
    for (const path of [
      '/nope',
      '/../package.json',
      '/%2e%2e/package.json',
      '//etc/passwd',
      '/assets',
      '/assets/../../x',
    ]) {
      expect((await rawRequest({ port: Number(port), path, headers: [] })).status).toBe(404)
    }
    expect((await fetch(`${site.url}assets/a.js`)).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it('can only be read', async () => {
    expect((await fetch(site.url, { method: 'POST' })).status).toBe(405)
    expect(await (await fetch(site.url, { method: 'HEAD' })).text()).toBe('')
  })

  it('says that a port is taken', async () => {
    const port = Number(new URL(site.url).port)
    await expect(serveSite({ folder, engineUrl: 'http://127.0.0.1:1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })

  it('says that there is no page', async () => {
    await expect(serveSite({ folder: join(folder, 'assets'), engineUrl: 'http://127.0.0.1:1' })).rejects.toThrow(
      'no built page',
    )
  })
})

describe('what is written into the page', () => {
  it('can’t be more than an address', () => {
    const engineUrl = 'http://127.0.0.1:1/"><script>'
    expect(withConfig(PAGE, { engineUrl, approvals: null })).toBe(
      PAGE.replace('content=""', 'content="http://127.0.0.1:1"'),
    )
  })

  it('says where the engine asks, when it is running', async () => {
    await using engine = await fakeEngine()
    expect(await askApprovals(engine.url)).toBe('page')
    const config = { engineUrl: engine.url, approvals: 'page' } as const
    expect(withConfig(PAGE, config)).toContain('name="leuria-approvals" content="page"')
    await engine.crash()
    expect(await askApprovals(engine.url)).toBeNull()
  })
})
