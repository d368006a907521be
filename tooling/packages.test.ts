// What would be published, looked at as a stranger's computer sees it. Needs the build to have run.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BROWSER_ENTRIES } from './house-rules.js'
import { ROOT, readWorkspace } from './workspace-facts.js'

const published = readWorkspace().filter((pkg) => !pkg.isPrivate)
/** The pinned pnpm where task.mjs put it, else the one on PATH. */
const ownPnpm = join(ROOT, '.tools/node_modules/.bin/pnpm')
const pnpm = existsSync(ownPnpm) ? ownPnpm : 'pnpm'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leuria-pack-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function pack(packageFolder: string): Promise<Buffer<ArrayBuffer>> {
  const cwd = join(ROOT, packageFolder)
  if (!existsSync(join(cwd, 'dist'))) throw new Error('not built: run `node tooling/task.mjs build` first')
  const file = join(folder, `${packageFolder.replace('/', '-')}.tgz`)
  await promisify(execFile)(pnpm, ['pack', '--out', file], { cwd })
  return readFile(file)
}

describe('exports, types and contents are sound as published', { timeout: 60_000 }, () => {
  it.concurrent.for(published.map((pkg) => pkg.folder))('%s', async (packageFolder, { expect }) => {
    const tarball = await pack(packageFolder)
    const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer } })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])

    const contents = createPackageFromTarballData(tarball)
    const paths = contents.listFiles().map((path) => path.slice(`/node_modules/${contents.packageName}/`.length))
    expect(['LICENSE', 'README.md', 'package.json'].filter((path) => !paths.includes(path))).toEqual([])
    expect(paths.filter((path) => /\.(test|fixture)[.-]|tsbuildinfo|^(?!dist\/|src\/|[^/]+$)/.test(path))).toEqual([])
    expect(JSON.stringify(pkg)).not.toMatch(/"(workspace|catalog):|@leuria\/source/)

    if (packageFolder.startsWith('apps/')) return // a program: nothing to import
    const analysis = await checkPackage(contents)
    expect(analysis.types).toBeTruthy()
    const problems = 'problems' in analysis ? analysis.problems : []
    expect(problems.filter((problem) => !isAboutCommonJs(problem))).toEqual([])
  })
})

/** These packages are ESM only: what Node 10's resolution and require() make of them doesn't count. */
function isAboutCommonJs(problem: { kind: string; resolutionKind?: string }): boolean {
  return ['node10', 'node16-cjs'].includes(problem.resolutionKind ?? '')
}

/** The package of a bundled file: ours by its folder, others by where they are installed. */
function packageOf(input: string): string {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
  return installed ?? input.replace(/^packages\/([^/]+)\/.*$/, '@leuria/$1')
}

describe.each(BROWSER_ENTRIES)('what is built of $package, $entry,', ({ package: name, entry, mayImport }) => {
  it('goes into a browser bundle without Node code or a schema library', async () => {
    const packageFolder = join(ROOT, 'packages', name.replace('@leuria/', ''))
    const built = join(packageFolder, entry.replace('src/', 'dist/').replace('.ts', '.js'))
    const options = { bundle: true, format: 'esm', platform: 'browser', write: false, metafile: true } as const
    const { metafile } = await build({ ...options, entryPoints: [built], absWorkingDir: ROOT, logLevel: 'silent' })
    const allowed = [name, ...mayImport.map((each) => each.replace('/browser', ''))]
    const reached = Object.keys(metafile.inputs).map(packageOf)
    expect([...new Set(reached)].filter((each) => !allowed.includes(each))).toEqual([])
  })
})
