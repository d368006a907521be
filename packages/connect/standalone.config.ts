/**
 * Bundles client and elements into `dist/standalone.js`, one file for a plain script tag. Only the checker of JSON Schemas,
 * a library that few pages need, stays a file beside it, found relative to the script wherever that is served from.
 */
import { build as bundle, type BuildOptions, type Plugin, transform } from 'esbuild'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
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

/** Markup without the space between its lines; esbuild leaves what is inside a template as it is. */
function squeezed(source: string): string {
  return source.replace(/\b(html|svg)`[^`]*`/g, (template) =>
    template.replace(/>\s*\n\s*</g, '><').replace(/\s+/g, ' '),
  )
}

/** A module of style sheets as what it exports, minified. */
async function packedStyles(path: string): Promise<string> {
  const styles = Object.entries((await import(path)) as Record<string, string>)
  const packed = styles.map(async ([name, text]) => {
    const { code } = await transform(text, { loader: 'css', minify: true, target: 'es2022' })
    return `export const ${name} = ${JSON.stringify(code.trim())}`
  })
  return (await Promise.all(packed)).join('\n')
}

/** Nothing is loaded later here: without the split, what would be loaded needs no wrapping. */
async function loadedAtOnce(path: string): Promise<string> {
  const source = await readFile(path.replace('load-later.ts', 'loaded-later.ts'), 'utf8')
  const names = [...source.matchAll(/^export \{ (\w+) \}/gm)].map(([, name]) => name).join()
  return `import { ${names} } from './loaded-later.js'
    export const loadLater = async () => ({ ${names} })`
}

/** Of no use without a script of its own (`@leuria/client/webmcp-capture`). */
const LEFT_OUT = new Set(['capturedTools', 'subscribeCapturedTools'])

/** `import * as` as a list: a namespace object is made of functions. */
async function listed(source: string): Promise<string> {
  const modules = { client: await import('@leuria/client'), connect: await import('./src/index.js') }
  return Object.entries(modules).reduce((text, [name, names]) => {
    const list = Object.keys(names)
      .filter((each) => !LEFT_OUT.has(each))
      .join()
    return text.replace(`import * as ${name} from`, `import { ${list} } from`).replace(`...${name}`, list)
  }, source)
}

/** Names of properties that nobody outside of the file sees: lit-html's own, the elements', what the client would load later. */
const INTERNAL =
  /^(_\$\w+|redraw|addPart|onConnected|onDisconnected|onDraw|beforeDraw|afterDraw|buttonId|onToggle|onBeforeToggle|copyCommand|isCopied|setConnected|creationScope|startNode|endNode|openServerSession|openBrowserSession|createShape|TurnCalls|BridgeTalk|createHttp)$/

/** esbuild looks at each statement once; this finds what is left: 4 % of the file. */
async function smallest(text: string): Promise<string> {
  const { code } = await minify(text, {
    ecma: 2022,
    compress: {
      passes: 5,
      inline: 0,
      lhs_constants: false,
      pure_getters: true,
      unsafe: true,
      unsafe_arrows: true,
      unsafe_methods: true,
      keep_fargs: false,
    },
    mangle: { properties: { regex: INTERNAL } },
  })
  if (code === undefined) throw new Error('terser made nothing of it')
  return code
}

const shrink: Plugin = {
  name: 'shrink',
  setup(build) {
    build.onLoad({ filter: /\/load-later\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: await loadedAtOnce(path),
    }))
    build.onLoad({ filter: /texts\/languages\.ts$/ }, () => ({ loader: 'js', contents: packedLanguages() }))
    build.onLoad({ filter: /style\/\w+(-\w+)*\.ts$/ }, async ({ path }) => ({
      loader: 'js',
      contents: await packedStyles(path),
    }))
    build.onLoad({ filter: /packages\/connect\/src\/.*\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: await listed(squeezed(await readFile(path, 'utf8'))),
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
    format: 'esm',
    plugins: [leaveOut, shrink],
    metafile: true,
  })
  const beside = await bundle({ ...OPTIONS, entryPoints: [checker], format: 'esm' })
  const texts = [main, beside].map(({ outputFiles }) => outputFiles[0]?.text ?? '')
  return {
    files: new Map([
      ['standalone.js', await smallest(`(() => {${texts[0] ?? ''}})()`)],
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
