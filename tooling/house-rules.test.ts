import { describe, expect, it } from 'vitest'
import { BROWSER_ENTRIES, browserFaults, entryFaults, fileFaults } from './house-rules.js'
import { join } from 'node:path'
import { type PackageFacts, parseSource, readManifest, readWorkspace, ROOT } from './workspace-facts.js'

const workspace = readWorkspace()

describe('the workspace', () => {
  it('has no star exports, no long files without a reason, no names that say nothing', () => {
    expect(workspace.flatMap(fileFaults)).toEqual([])
  })

  it.each(BROWSER_ENTRIES)('keeps Node and schemas out of $package, $entry', ({ package: name, ...entry }) => {
    const pkg = workspace.find((candidate) => candidate.name === name)
    expect(pkg && browserFaults(pkg, entry)).toEqual([])
  })

  it('imports only exported entries', () => {
    const entries = new Map(
      workspace.map((pkg) => [pkg.name, readManifest(join(ROOT, pkg.folder, 'package.json')).entries]),
    )
    expect(workspace.flatMap((pkg) => entryFaults(pkg, (name) => entries.get(name) ?? []))).toEqual([])
  })
})

function madeUp(files: Record<string, string>): PackageFacts {
  const facts = Object.entries(files).map(([path, text]) => parseSource(path, text))
  const nothing = { dependencies: [], devDependencies: [], isApp: false, isPrivate: false }
  return { name: '@leuria/x', folder: 'packages/x', ...nothing, files: facts }
}

describe('file rules', () => {
  const long = 'const x = 1\n'.repeat(401)

  it.each([
    ['a star export', { 'src/index.ts': "export * from './a.js'" }, /export \*/],
    ['a namespace star export', { 'src/index.ts': "export * as a from './a.js'" }, /export \*/],
    ['401 lines', { 'src/a.ts': long }, /401 lines/],
    ['a directive without a reason', { 'src/a.ts': `/* eslint-disable max-lines */\n${long}` }, /402 lines/],
    ['a file named utils', { 'src/utils.ts': '' }, /named after nothing/],
    ['a folder named helpers', { 'src/helpers/a.ts': '' }, /named after nothing/],
    ['a file named common', { 'src/common.test.ts': '' }, /named after nothing/],
  ])('reject %s', (_, files, fault) => {
    expect(fileFaults(madeUp(files))).toEqual([expect.stringMatching(fault)])
  })

  it.each([
    ['400 lines', { 'src/a.ts': 'const x = 1\n'.repeat(400) }],
    ['a long test', { 'src/a.test.ts': long }],
    ['a long file that says why', { 'src/a.ts': `/* eslint-disable max-lines -- one table of the wire */\n${long}` }],
    ['named exports', { 'src/index.ts': "export { a } from './a.js'\nexport type { B } from './b.js'" }],
  ])('accept %s', (_, files) => {
    expect(fileFaults(madeUp(files))).toEqual([])
  })
})

describe('browser rule', () => {
  const faults = (files: Record<string, string>) =>
    browserFaults(madeUp(files), { entry: 'src/index.ts', mayImport: ['@leuria/protocol/browser'] })

  it.each([
    ['a Node module', { 'src/index.ts': "import { join } from 'node:path'" }],
    ['zod', { 'src/index.ts': "import * as z from 'zod/mini'" }],
    ['the root entry of protocol', { 'src/index.ts': "import { x } from '@leuria/protocol'" }],
    ['what a file behind it imports', { 'src/index.ts': "export { a } from './a.js'", 'src/a.ts': "import 'node:fs'" }],
    [
      'a type re-export that still loads its file',
      { 'src/index.ts': "export { type A } from './a.js'", 'src/a.ts': "import 'zod'" },
    ],
    ['a dynamic import', { 'src/index.ts': "void import('ws')" }],
  ])('rejects %s', (_, files) => {
    expect(faults(files)).toHaveLength(1)
  })

  it('accepts types from anywhere: they are erased', () => {
    const files = {
      'src/index.ts': "export type { A } from './a.js'\nimport type { B } from '@leuria/protocol'",
      'src/a.ts': "import * as z from 'zod/mini'",
    }
    expect(faults(files)).toEqual([])
  })

  it('accepts the listed entry, and files that import each other', () => {
    const files = {
      'src/index.ts': "import { a } from './a.js'\nimport { x } from '@leuria/protocol/browser'",
      'src/a.ts': "import { i } from './index.js'",
    }
    expect(faults(files)).toEqual([])
  })
})

describe('entry rule', () => {
  it.each([
    ['@leuria/protocol/src/origin.js', 1],
    ['@leuria/protocol/browser', 0],
    ['@leuria/protocol', 0],
  ])('%s: %i faults', (specifier, count) => {
    const pkg = madeUp({ 'src/a.ts': `import { x } from '${specifier}'` })
    expect(entryFaults(pkg, () => ['.', './browser'])).toHaveLength(count)
  })
})
