import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleStandalone } from '../standalone.config.js'
import { executablePath, type ElementBrowser, openElementBrowser } from './browser/element-browser.fixture.js'

/** The file for a plain script tag (issue F). */
const MAX_GZIPPED_BYTES = 47_000

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
    expect([...new Set(packages)].sort()).toEqual(['@lit/reactive-element', 'lit', 'lit-element', 'lit-html'])
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
    // Lit's own are how two copies of it find out about each other.
    const ofLit = ['litElementVersions', 'litHtmlVersions', 'litPropertyMetadata', 'reactiveElementVersions']
    expect(await page.evaluate(added)).toEqual(['Leuria', ...ofLit])
    const names: unknown = await page.evaluate('Object.keys(Leuria)')
    expect(names).toEqual(expect.arrayContaining(NAMES))
    await page.evaluate(
      'Leuria.setDefaultClient(Leuria.createLeuria({ providers: [Leuria.bridge({ app: "Mug shop" })] }))',
    )
    await page.getByRole('button', { name: 'Connect your AI' }).waitFor()
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
