import { build } from 'esbuild'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type * as client from './index.js'

/** What a page loads at once, of everything that this package has. */
const MAX_BYTES = 18_000
/** The same of a page that uses `createLeuria` and `bridge`. */
const MAX_BRIDGE_BYTES = 12_000
/** What is loaded when there is something to talk to. */
const MAX_LATER_BYTES = 16_000

const folder = import.meta.dirname

const bytesOf = (text: string): number => gzipSync(text, { level: 9 }).length

/** What a page's bundler makes of this package. What is loaded only when it is used counts apart. */
async function bundle(code: string) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'ts' },
    bundle: true,
    splitting: true,
    outdir: folder,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@leuria/source'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const outputs = new Map(Object.entries(metafile.outputs))
  const atOnce = new Set([...outputs].filter(([, { entryPoint }]) => entryPoint === '<stdin>').map(([path]) => path))
  for (const path of atOnce)
    for (const { kind, path: next } of outputs.get(path)?.imports ?? [])
      if (kind === 'import-statement') atOnce.add(next)
  const files = [...outputs].map(([path, { inputs }], at) => {
    const text = outputFiles[at]?.text ?? ''
    return { name: basename(path), text, bytes: bytesOf(text), inputs: Object.keys(inputs), isAtOnce: atOnce.has(path) }
  })
  const first = files.filter(({ isAtOnce }) => isAtOnce)
  return {
    /** Everything, the page's own file first. */
    files,
    code: first.map(({ text }) => text).join('\n'),
    /** Each file by itself, as it is sent. */
    bytes: first.reduce((sum, { bytes }) => sum + bytes, 0),
    later: files.filter(({ isAtOnce }) => !isAtOnce),
  }
}

/** The checker of answers' schemas is a package of its own, loaded when a page uses one. */
const isChecker = ({ name }: { name: string }): boolean => name.startsWith('schema-check')

describe('the package in a page', () => {
  it.each([
    ['with everything', "export * from './index.js'", MAX_BYTES],
    [
      'with the visitor’s own AI only',
      "import { bridge, createLeuria } from './index.js'; createLeuria({ providers: [bridge()] })",
      MAX_BRIDGE_BYTES,
    ],
  ])('is small %s', async (which, code, limit) => {
    const { bytes, later } = await bundle(code)
    const parts = later.map((file) => `${file.name.split('-').slice(0, -1).join('-')} ${file.bytes}`)
    console.log(`@leuria/client ${which}, minified and gzipped: ${bytes} bytes; later: ${parts.join(', ')}`)
    expect(bytes).toBeLessThanOrEqual(limit)
    const most = later.filter((file) => !isChecker(file)).reduce((sum, file) => sum + file.bytes, 0)
    expect(most).toBeLessThanOrEqual(MAX_LATER_BYTES)
  })

  it('holds no Node code, and no library', async () => {
    const { files, later } = await bundle("export * from './index.js'")
    const own = files.filter((file) => !isChecker(file))
    const inputs = own.flatMap((file) => file.inputs)
    expect(inputs.filter((input) => /node_modules|zod|channel-message|session-body/.test(input))).toEqual([])
    for (const { text } of own) expect(text).not.toMatch(/node:|require\(|process\.env|from\s*["'](?!\.\/)/)
    expect(later.length).toBe(2)
  })

  it('leaves nothing behind in a page that imports it and uses none of it', async () => {
    const { code } = await bundle("import './index.js'")
    expect(code.trim()).toBe('')
  })

  it('is imported on a server without touching anything', async () => {
    const { files } = await bundle("export * from './index.js'")
    const folder = mkdtempSync(join(tmpdir(), 'leuria-client-'))
    try {
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
      for (const { name, text } of files) writeFileSync(join(folder, name), text)
      const entry = pathToFileURL(join(folder, files[0]?.name ?? '')).href
      const { BridgeClient, bridge, connection, createLeuria } = (await import(entry)) as typeof client
      const page = new BridgeClient()
      expect([page.getState(), await page.detect()]).toEqual([{ status: 'not-connected' }, { status: 'unpaired' }])
      await expect(page.connect()).rejects.toMatchObject({ name: 'LeuriaNotRunningError' })
      page.destroy()
      const leuria = createLeuria({ providers: [bridge()] })
      expect(connection(leuria).getState().status).toBe('not-connected')
      await expect(leuria.chat({ prompt: 'x' }).text()).rejects.toMatchObject({ code: 'no_provider' })
      leuria.destroy()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('tells in plain words that the site did not give the rest of it', async () => {
    const { files } = await bundle("export * from './index.js'")
    const folder = mkdtempSync(join(tmpdir(), 'leuria-client-'))
    try {
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
      for (const { name, text } of files) if (!name.startsWith('loaded-later')) writeFileSync(join(folder, name), text)
      const entry = pathToFileURL(join(folder, files[0]?.name ?? '')).href
      const { BridgeClient, LeuriaError } = (await import(entry)) as typeof client
      const stored = new Map([['leuria:token:http://127.0.0.1:19570', 'secret']])
      const storage = {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: () => undefined,
        removeItem: () => undefined,
      }
      const page = new BridgeClient({ storage })
      const failure = await page.startSession().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(LeuriaError)
      expect(failure).toMatchObject({ code: 'not_loaded' })
      expect(await page.detect()).toEqual({ status: 'offline' })
      page.destroy()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
