import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type StaticSite, serveSite } from './static-site.js'

let folder: string
const sites: StaticSite[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leuria-site-'))
  mkdirSync(join(folder, 'site', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'site', 'index.html'), '<p>hello</p>')
  writeFileSync(join(folder, 'site', 'assets', 'a.js'), 'go()')
})
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()))
  rmSync(folder, { recursive: true, force: true })
})

async function serve(port = 0): Promise<StaticSite> {
  const site = await serveSite(join(folder, 'site'), port)
  sites.push(site)
  return site
}

/** The status for a raw request target, which `fetch` would tidy up. */
function statusOf(site: StaticSite, path: string, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site.url)
    const sent = request({ hostname, port, path, method }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end()
  })
}

it('serves the page and its files with their types', async () => {
  const site = await serve()
  const page = await fetch(site.url)
  expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
    200,
    'text/html; charset=utf-8',
    '<p>hello</p>',
  ])
  const script = await fetch(`${site.url}assets/a.js?v=1`)
  expect([script.headers.get('content-type'), await script.text()]).toEqual(['text/javascript; charset=utf-8', 'go()'])
})

it.each(['/../secret.txt', '/..%2fsecret.txt', '/assets/../../secret.txt', '//secret.txt', '/nope', '/assets/'])(
  'has nothing at %s',
  async (path) => {
    expect(await statusOf(await serve(), path)).toBe(404)
  },
)

it('only reads', async () => {
  const site = await serve()
  expect(await statusOf(site, '/', 'POST')).toBe(405)
  expect(await statusOf(site, '/', 'HEAD')).toBe(200)
})

it('takes a free port when the wanted one is taken', async () => {
  const first = await serve()
  const second = await serve(Number(new URL(first.url).port))
  expect(second.url).not.toBe(first.url)
  expect((await fetch(second.url)).status).toBe(200)
})

it('says so when nothing was built', async () => {
  await expect(serveSite(join(folder, 'nope'), 0)).rejects.toThrow(/nope/)
})
