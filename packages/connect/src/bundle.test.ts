import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleStandalone } from '../standalone.config.js'
import { executablePath, type ElementBrowser, openElementBrowser } from './browser/element-browser.fixture.js'

/** The file for a plain script tag (issue F). */
const MAX_GZIPPED_BYTES = 40_000

const { files, inputs } = await bundleStandalone()
const standalone = files.get('standalone.js') ?? ''

describe('the standalone file', () => {
  it('is small', () => {
    const bytes = gzipSync(standalone, { level: 9 }).length
    console.log(`@leuria/connect/standalone, minified and gzipped: ${bytes} bytes`)
    expect(bytes).toBeLessThanOrEqual(MAX_GZIPPED_BYTES)
  })

  it('holds no Node code, no schemas of the wire, no fonts, and no addresses to fetch from', () => {
    const packages = inputs.flatMap(
      (input) => /node_modules\/((?:@[\w-]+\/)?[\w-]+)\/(?!.*node_modules)/.exec(input)?.[1] ?? [],
    )
    expect([...new Set(packages)].sort()).toEqual(['lit-html'])
    expect(standalone).not.toMatch(/node:|require\(|process\.env|@font-face|url\(/)
    expect(
      standalone.match(/https?:\/\/[^\s"'`]+/g)?.filter((url) => !/www\.w3\.org|127\.0\.0\.1/.test(url)) ?? [],
    ).toEqual([])
  })

  it('loads one more file, and only for a page that wants an answer of a certain shape', () => {
    expect([...files.keys()]).toEqual(['standalone.js', 'standalone-schema-check.js'])
    expect(standalone.match(/\bimport\([^)]*\)/g)).toEqual(['import("./standalone-schema-check.js")'])
    expect(files.get('standalone-schema-check.js')).toMatch(/schemaFaults/)
  })
})

describe.skipIf(executablePath === null)('in a page with nothing but a script tag', () => {
  let browser: ElementBrowser
  beforeAll(async () => {
    browser = await openElementBrowser()
  })
  afterAll(() => browser.close())

  const NAMES = [
    'createLeuria',
    'bridge',
    'browserAI',
    'server',
    'exposeTools',
    'connection',
    'setDefaultClient',
    'setTexts',
  ]

  it('the standalone file gives client and elements, and leaves no other name behind', async () => {
    const page = await browser.open({ html: '<leuria-connect-button></leuria-connect-button>', script: '' })
    await page.evaluate('globalThis.before = new Set(Object.getOwnPropertyNames(globalThis))')
    await page.addScriptTag({ content: standalone })
    const added =
      'Object.getOwnPropertyNames(globalThis).filter((name) => name !== "before" && !before.has(name)).sort()'
    expect(await page.evaluate(added)).toEqual(['Leuria', 'litHtmlVersions'])
    const names: unknown = await page.evaluate('Object.keys(Leuria)')
    const all = { ...(await import('@leuria/client')), ...(await import('./index.js')) }
    const useless = ['capturedTools', 'subscribeCapturedTools'] // without a script of their own
    expect(Object.keys(all).filter((name) => !useless.includes(name) && !String(names).includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(NAMES))
    await page.evaluate(
      'Leuria.setDefaultClient(Leuria.createLeuria({ providers: [Leuria.bridge({ app: "Mug shop" })] }))',
    )
    await page.getByRole('button', { name: 'Connect your AI' }).waitFor()
  })

  it('the standalone file does all that the package does: connects, talks, checks an answer’s shape, disconnects', async () => {
    const page = await browser.open({ html: '<leuria-connect-button></leuria-connect-button>', script: standalone })
    await page.route('**/standalone-schema-check.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: files.get('standalone-schema-check.js') ?? '' }),
    )
    await page.evaluate(`
      class OwnAI extends Leuria.BaseProvider {
        asksFirst = true
        constructor() {
          super('bridge', 'Own', 'device', { status: 'needs-action', action: 'connect', capabilities: ['chat', 'structured'] })
        }
        async detect() {}
        connect() { return new Promise((done) => { globalThis.allow = () => { this.setState({ status: 'ready', model: 'Claude Code' }); done() } }) }
        async disconnect() { this.setState({ status: 'needs-action' }) }
        async createSession() {
          return { close() {}, async send(message, context) { context.text('{"mugs": 3}'); return { text: '{"mugs": 3}' } } }
        }
      }
      globalThis.client = Leuria.createLeuria({ providers: [new OwnAI()] })
      Leuria.setDefaultClient(client)
      document.addEventListener('leuria-disconnect', () => { globalThis.heard = true })
    `)
    await page.getByRole('button', { name: 'Connect your AI' }).click()
    await page.getByRole('dialog', { name: 'Look for the question in Leuria' }).waitFor()
    await page.evaluate('allow()')
    const connected = page.getByRole('button', { name: 'Your AI: Claude Code' })
    await connected.waitFor()
    expect(await page.evaluate("client.chat({ prompt: 'How many mugs?' }).text()")).toBe('{"mugs": 3}')
    const ask = (type: string) =>
      `client.chat({ prompt: 'How many mugs?', schema: { type: 'object', properties: { mugs: { type: '${type}' } } } }).object()`
    expect(await page.evaluate(ask('number'))).toEqual({ mugs: 3 })
    await expect(page.evaluate(ask('boolean'))).rejects.toThrow()
    await connected.focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Connect your AI' }).waitFor()
    expect(await page.evaluate('heard')).toBe(true)
  })

  it('two copies share the elements of the first', async () => {
    const page = await browser.open({ html: '<leuria-badge></leuria-badge>', script: standalone })
    await page.addScriptTag({ content: standalone })
    await page.getByText('Works with your own AI').waitFor()
  })
})

describe('on a server', () => {
  it('the package is imported without a page', async () => {
    const { LeuriaConnectButton } = await import('./index.js')
    expect(typeof document).toBe('undefined')
    expect(LeuriaConnectButton).toBeTypeOf('function')
  })
})
