import { build } from 'esbuild'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type * as client from './index.js'

/** Everything (issue F). */
const MAX_GZIPPED_BYTES = 18_000

const folder = import.meta.dirname

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
  const files = [...outputs.keys()].map((path, at) => ({
    path,
    name: basename(path),
    text: outputFiles[at]?.text ?? '',
  }))
  return {
    /** Everything, the page's own file first. */
    files,
    inputs: [...atOnce].flatMap((path) => Object.keys(outputs.get(path)?.inputs ?? {})),
    code: files.flatMap(({ path, text }) => (atOnce.has(path) ? [text] : [])).join('\n'),
  }
}

describe('the package in a page', () => {
  it('is small, and holds no Node code and no schema library', async () => {
    const { inputs, code } = await bundle("export * from './index.js'")
    const outside = inputs.filter(
      (input) => !/^(packages\/)?(\.\.\/)*(client\/|src\/|clock\/|protocol\/|<stdin>|engine\/)/.test(input),
    )
    expect(outside.filter((input) => input.includes('node_modules'))).toEqual([])
    expect(inputs.filter((input) => /zod|channel-message|session-body/.test(input))).toEqual([])
    expect(code).not.toMatch(/node:|require\(|process\.env|from\s*["'](?!\.\/)/)
    const bytes = gzipSync(code, { level: 9 }).length
    console.log(`@leuria/client, everything, minified and gzipped: ${bytes} bytes`)
    expect(bytes).toBeLessThanOrEqual(MAX_GZIPPED_BYTES)
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
      const { BridgeClient } = (await import(entry)) as typeof client
      const page = new BridgeClient()
      expect([page.getState(), await page.detect()]).toEqual([{ status: 'not-connected' }, { status: 'unpaired' }])
      await expect(page.connect()).rejects.toMatchObject({ name: 'LeuriaNotRunningError' })
      page.destroy()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
