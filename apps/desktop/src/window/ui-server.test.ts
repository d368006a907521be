/** The server of the window's files: to the window only, and nothing but its files. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawRequest } from '@leuria/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serveUi, type UiServer } from './ui-server.js'

let folder = ''
let server: UiServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leuria-ui-'))
  await writeFile(join(folder, 'secret.txt'), 'secret')
  server = await serveUi(join(folder, 'ui'))
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const ask = (path: string, options: { host?: string; method?: string } = {}) =>
  rawRequest({
    port: server.port,
    path,
    method: options.method ?? 'GET',
    headers: [['Host', options.host ?? 'tauri.localhost']],
  })

async function build(): Promise<void> {
  await mkdir(join(folder, 'ui', 'assets'), { recursive: true })
  await writeFile(join(folder, 'ui', 'index.html'), '<title>built</title>')
  await writeFile(join(folder, 'ui', 'assets', 'a b.js'), 'run()')
}

it('has a page of its own as long as nothing is built', async () => {
  expect(await ask('/')).toMatchObject({ status: 200, text: expect.stringContaining('minimal.js') as unknown })
  expect(await ask('/minimal.js')).toMatchObject({ status: 200 })
  expect(await ask('/index.html')).toMatchObject({ status: 404 })
})

it('serves what is built, with types and a policy that lets nothing in', async () => {
  await build()
  const page = await ask('/?x=1')
  expect(page).toMatchObject({ status: 200, text: '<title>built</title>' })
  expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  expect(page.headers['x-frame-options']).toBe('DENY')
  const script = await ask('/assets/a%20b.js')
  expect(script).toMatchObject({ status: 200, text: 'run()' })
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(await ask('/minimal.js')).toMatchObject({ status: 404 })
})

it.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/%00',
  '/%',
  '//etc/passwd',
  '/assets',
])('has nothing at %s', async (path) => {
  await build()
  const answer = await ask(path)
  expect(answer.status).toBe(404)
  expect(answer.text).not.toContain('secret')
})

it.each(['127.0.0.1', 'localhost', 'evil.example', 'tauri.localhost:80', 'tauri.localhost.evil.example'])(
  'gives no answer to a page that names it %s',
  async (host) => {
    await expect(ask('/', { host })).rejects.toThrow()
  },
)

it('only reads', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) await expect(ask('/', { method })).rejects.toThrow()
})
