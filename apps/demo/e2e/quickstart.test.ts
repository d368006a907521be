/**
 * The quickstart, word by word: its files in a fresh folder, its command, a real Chromium; and what other guides have a
 * browser do. Nothing is written down here twice: files and command are read out of the guides, and the policy of the guide
 * for production is the one that the pages are served with.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processEvent, readyEvent } from '@leuria/protocol'
import { followProgram } from '@leuria/testing/program-events'
import { chromiumForTests } from '@leuria/tooling/chromium'
import type { Page } from 'playwright-core'
import ts from 'typescript'
import { build } from 'vite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { openVisitor } from './visitor-browser.js'

const chromium = chromiumForTests()
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const LEURIA = join(ROOT, 'apps/cli/dist/leuria.js')
const ZOD = join(ROOT, 'apps/demo/node_modules/zod/index.js')
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }
const PATIENCE = { timeout: 20_000 }

const readGuide = (name: string): Promise<string> => readFile(join(ROOT, 'docs', name), 'utf8')

/** What a guide shows under this word of a fence: a file's name, or a language. */
function blockOf(guide: string, word: string): string {
  const [, code] = new RegExp(`^\`\`\`(?:[\\w-]+ )*${word}\\n([^]*?)^\`\`\``, 'm').exec(guide) ?? []
  if (code === undefined) throw new Error(`The guide shows no ${word}.`)
  return code
}

let folder: string
let undo: (() => Promise<void> | void)[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leuria-quickstart-'))
  undo = [() => rm(folder, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const each of undo.reverse()) await each()
})

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.kill('SIGINT')
  return ended
}

/** Runs the guide's command; only the port is another, and no browser is opened. */
async function startEngine(guide: string) {
  const [, words] = /^npx @leuria\/cli (start.*)$/m.exec(guide) ?? []
  if (words === undefined) throw new Error('The guide starts no engine.')
  const args = [LEURIA, ...words.split(' '), '--port', '0', '--json', '--no-open']
  const home = join(folder, 'home')
  const env = { PATH: process.env.PATH, HOME: home, LEURIA_HOME: home }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  undo.push(() => stop(child))
  const { next } = followProgram(child, (line) => z.parse(processEvent, line))
  const { port } = z.parse(readyEvent, await next((event) => event.event === 'ready'))
  const approveUrl = async (): Promise<string> => {
    const question = await next((event) => event.event === 'pairing')
    return question.event === 'pairing' ? question.approveUrl : ''
  }
  return { port, approveUrl }
}

/** "Serve the folder with any web server": this one, with the policy that the guide for production shows. */
async function serve(site: string, enginePort: number): Promise<string> {
  const production = await readGuide('production.md')
  const policy = blockOf(production, 'csp').trim().replace(/\s+/g, ' ').replaceAll('19570', String(enginePort))
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname.replace(/\/$/, '/index.html')
    readFile(join(site, path)).then(
      (body) => {
        const type = TYPES[extname(path)] ?? 'application/octet-stream'
        response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body)
      },
      () => response.writeHead(path === '/favicon.ico' ? 204 : 404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A site on the internet, as far as Chromium knows: it has to be allowed to reach this computer. */
interface PublicSite {
  isAllowed: boolean
}

/** The visitor's browser; requests to the engine's usual port are led to the one that this engine got. */
async function open(site: string, port: number, onInternet?: PublicSite): Promise<Page> {
  const origin = await serve(site, port)
  const args = onInternet ? [`--ip-address-space-overrides=${new URL(origin).host}=public`] : []
  const visitor = await openVisitor({ executablePath: chromium ?? '', origin, args })
  undo.push(async () => visitor[Symbol.asyncDispose]())
  if (onInternet?.isAllowed) await visitor.context.grantPermissions(['local-network-access'], { origin })
  await visitor.context.addInitScript(`{
    const lead = (url) => String(url).replace('127.0.0.1:19570', '127.0.0.1:${port}')
    const { fetch, WebSocket } = window
    window.fetch = (url, options) => fetch(lead(url), options)
    window.WebSocket = class extends WebSocket { constructor(url, more) { super(lead(url), more) } }
  }`)
  const page = await visitor.context.newPage()
  await page.goto(origin)
  return page
}

async function connect(page: Page, approveUrl: () => Promise<string>): Promise<void> {
  await page.getByRole('button', { name: 'Connect your AI' }).click()
  const tab = await page.context().newPage()
  await tab.goto(await approveUrl())
  await tab.getByRole('button', { name: 'Allow' }).click()
  await tab.getByRole('status').first().waitFor()
  await tab.close()
  await page.getByRole('button', { name: 'Demo AI' }).waitFor(PATIENCE)
}

/** Step 3, in the words of the guide. */
async function connectAndAsk(page: Page, approveUrl: () => Promise<string>): Promise<void> {
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  const output = page.locator('output')
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect.poll(() => output.textContent(), PATIENCE).toBe('An AI has to be connected first.')

  await connect(page, approveUrl)
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect.poll(() => output.textContent(), PATIENCE).toContain('Harbour')
  expect(faults).toEqual([])
}

/** Step 2: the files of the guide in a fresh folder. */
async function makeSite(guide: string): Promise<string> {
  const site = join(folder, 'mug-shop')
  await mkdir(site)
  for (const name of ['index.html', 'main.js']) await writeFile(join(site, name), blockOf(guide, name))
  const [, from] = /^cp node_modules\/@leuria\/(\S+) \.$/m.exec(guide) ?? []
  await cp(join(ROOT, 'packages', from ?? ''), join(site, 'standalone.js'))
  return site
}

/** The quickstart's page, and these files of a guide, made into one by a bundler, from the packages as they are published. */
async function bundleSite(quickstart: string, files: Readonly<Record<string, string>>): Promise<string> {
  const site = join(folder, 'mug-shop')
  await mkdir(site)
  const script = '<script type="module" src="main.ts"></script>'
  const dialog = '<dialog><p></p><button class="yes">Yes</button><button class="no">No</button></dialog>'
  const html = blockOf(quickstart, 'index.html').replace(/(<script.*<\/script>\s*)+/, `${dialog}${script}`)
  const all = { ...files, 'leuria.ts': blockOf(quickstart, 'leuria.ts'), 'index.html': html }
  for (const [name, text] of Object.entries(all)) await writeFile(join(site, name), text)
  const packed = (name: string): string => join(ROOT, 'packages', name, 'dist/index.js')
  const alias = { '@leuria/client': packed('client'), '@leuria/connect': packed('connect'), zod: ZOD }
  await build({
    root: site,
    configFile: false,
    logLevel: 'silent',
    build: { modulePreload: { polyfill: false } },
    resolve: { alias },
  })
  return join(site, 'dist')
}

describe.skipIf(chromium === null)('the quickstart', () => {
  it('gives a page whose button connects and whose question is answered', async () => {
    const guide = await readGuide('quickstart.md')
    const { port, approveUrl } = await startEngine(guide)
    await connectAndAsk(await open(await makeSite(guide), port), approveUrl)
  })

  it('gives the same with a bundler', async () => {
    const guide = await readGuide('quickstart.md')
    const { port, approveUrl } = await startEngine(guide)
    const site = await bundleSite(guide, { 'main.ts': blockOf(guide, 'main.ts') })
    await connectAndAsk(await open(site, port), approveUrl)
  })
})

describe.skipIf(chromium === null)('the guide for tools', () => {
  it('has a dialog in which the visitor says yes, or no', async () => {
    const [quickstart, guide] = await Promise.all([readGuide('quickstart.md'), readGuide('tools.md')])
    const { port, approveUrl } = await startEngine(quickstart)
    const confirming = guide.split('```').find((block) => block.startsWith('ts\n') && block.includes('pendingInputs'))
    const site = await bundleSite(quickstart, {
      'tools.ts': blockOf(guide, 'tools.ts'),
      'main.ts': `${confirming?.slice('ts\n'.length)}
        document.querySelector('form')!.onsubmit = async (submit) => {
          submit.preventDefault()
          const { text } = await conversation.send(document.querySelector('input')!.value).result()
          document.querySelector('output')!.textContent = text
        }`,
    })
    const page = await open(site, port)
    await page.route('**/orders', (route) => route.fulfill({ json: { order: 17 } }))
    await connect(page, approveUrl)
    const answers = async (answer: () => Promise<void>, words: RegExp): Promise<void> => {
      await page.getByLabel('Your question').fill('Place the order')
      await page.getByRole('button', { name: 'Ask' }).click()
      await page.getByRole('dialog').getByText('Order for 36 €?').waitFor(PATIENCE)
      await answer()
      await expect.poll(() => page.locator('output').textContent(), PATIENCE).toMatch(words)
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
    await answers(() => page.getByRole('button', { name: 'Yes' }).click(), /order 17/)
    await answers(() => page.keyboard.press('Escape'), /The visitor declined/)
  })
})

describe.skipIf(chromium === null)('on the internet the same page', () => {
  it('works once the browser lets it reach this computer', async () => {
    const guide = await readGuide('quickstart.md')
    const { port, approveUrl } = await startEngine(guide)
    await connectAndAsk(await open(await makeSite(guide), port, { isAllowed: true }), approveUrl)
  })

  it('can tell that the browser refused, where its button only sees that nothing answers', async () => {
    const guide = await readGuide('quickstart.md')
    const { port } = await startEngine(guide)
    const page = await open(await makeSite(guide), port, { isAllowed: false })
    const production = blockOf(await readGuide('production.md'), 'ts')
    const code = ts.transpile(production.replace('export ', ''), { target: ts.ScriptTarget.ES2022 })
    const isBlocked = (): Promise<unknown> => page.evaluate(`(() => { ${code}; return isBlockedByBrowser() })()`)
    expect(await isBlocked()).toBe(false)
    await page.getByRole('button', { name: 'Connect your AI' }).click()
    await page.getByRole('button', { name: 'Leuria isn’t running' }).waitFor(PATIENCE)
    expect(await isBlocked()).toBe(true)
  })
})
