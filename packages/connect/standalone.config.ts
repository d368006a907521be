/**
 * Bundles client and elements into `dist/standalone.js`, one file for a plain script tag. Only the checker of JSON Schemas,
 * a library that few pages need, stays a file beside it, found relative to the script wherever that is served from.
 */
import { build as bundle, type BuildOptions, type Plugin } from 'esbuild'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from './src/texts/languages.js'

const FOLDER = import.meta.dirname
const CHECKER = 'standalone-schema-check.js'

const OPTIONS = {
  absWorkingDir: FOLDER,
  bundle: true,
  minify: true,
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  conditions: ['@leuria/source', 'module'],
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions

/** The languages without a name before each text: a fifth of the file is texts. */
function packedLanguages(): string {
  const keys = Object.keys(LANGUAGES.en ?? {})
  const packed = Object.entries(LANGUAGES).map(([tag, texts]) => [tag, Object.values(texts).join('\n')])
  return `const keys = ${JSON.stringify(keys.join(' '))}.split(' ')
    const unpack = ([tag, texts]) => [tag, Object.fromEntries(texts.split('\\n').map((text, at) => [keys[at], text]))]
    export const LANGUAGES = Object.fromEntries(${JSON.stringify(packed)}.map(unpack))`
}

/** Styles and markup without the space between their lines; esbuild leaves what is inside a template as it is. */
function squeezed(source: string): string {
  return source.replace(/\b(css|html|svg)`[^`]*`/g, (template) => {
    const short = template
      .replace(/\/\*[^]*?\*\//g, '')
      .replace(/>\s*\n\s*</g, '><')
      .replace(/\s+/g, ' ')
    return template.startsWith('css') ? short.replace(/ ?([{};,]) ?/g, '$1').replaceAll(': ', ':') : short
  })
}

const shrink: Plugin = {
  name: 'shrink',
  setup(build) {
    build.onLoad({ filter: /texts\/languages\.ts$/ }, () => ({ loader: 'js', contents: packedLanguages() }))
    build.onLoad({ filter: /packages\/connect\/src\/.*\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: squeezed(await readFile(path, 'utf8')),
    }))
  },
}

export interface Standalone {
  /** By file name. */
  readonly files: ReadonlyMap<string, string>
  /** Where the main file came from. */
  readonly inputs: readonly string[]
}

export async function bundleStandalone(): Promise<Standalone> {
  let checker = ''
  const leaveOut: Plugin = {
    name: 'checker-beside',
    setup(build) {
      build.onResolve({ filter: /\/schema-check\.js$/ }, ({ path, resolveDir }) => {
        checker = join(resolveDir, path.replace(/\.js$/, '.ts'))
        return { path: `./${CHECKER}`, external: true }
      })
    },
  }
  const entry = 'src/standalone-global.ts'
  const main = await bundle({
    ...OPTIONS,
    entryPoints: [entry],
    format: 'iife',
    plugins: [leaveOut, shrink],
    metafile: true,
  })
  const beside = await bundle({ ...OPTIONS, entryPoints: [checker], format: 'esm' })
  const texts = [main, beside].map(({ outputFiles }) => outputFiles[0]?.text ?? '')
  return {
    files: new Map([
      ['standalone.js', texts[0] ?? ''],
      [CHECKER, texts[1] ?? ''],
    ]),
    inputs: Object.keys(main.metafile.inputs),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files } = await bundleStandalone()
  await mkdir(join(FOLDER, 'dist'), { recursive: true })
  for (const [name, text] of files) await writeFile(join(FOLDER, 'dist', name), text)
}
