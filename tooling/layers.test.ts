import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FLOORS, layerFaults, packageOf } from './layers.js'
import { type PackageFacts, ROOT, parseSource, readManifest, readWorkspace } from './workspace-facts.js'

describe('the workspace', () => {
  it('imports only from lower floors, and only what package.json lists', () => {
    const tools = readManifest(join(ROOT, 'package.json')).devDependencies
    expect(layerFaults(readWorkspace(), new Set(tools))).toEqual([])
  })
})

/** A whole made-up workspace in which every known package exists and is empty, but for the given ones. */
function workspaceWith(...changed: PackageFacts[]): PackageFacts[] {
  const names = [...Object.keys(FLOORS), '@leuria/testing', '@leuria/tooling', '@leuria/bench']
  const given = new Map(changed.map((pkg) => [pkg.name, pkg]))
  return [
    ...names.map((name) => given.get(name) ?? madeUp(name, {})),
    ...changed.filter((pkg) => !names.includes(pkg.name)),
  ]
}

function madeUp(
  name: string,
  { deps = [], dev = [], files = {} }: { deps?: string[]; dev?: string[]; files?: Record<string, string> },
): PackageFacts {
  const isApp = ['@leuria/cli', '@leuria/desktop', '@leuria/app-demo'].includes(name)
  return {
    name,
    folder: `${isApp ? 'apps' : 'packages'}/${name.replace('@leuria/', '')}`,
    isApp,
    isPrivate: false,
    dependencies: deps,
    devDependencies: dev,
    files: Object.entries(files).map(([path, text]) => parseSource(path, text)),
  }
}

describe('the layer rule', () => {
  const faultsOf = (...changed: PackageFacts[]) => layerFaults(workspaceWith(...changed), new Set(['vitest']))

  it('finds nothing in a workspace of empty packages', () => {
    expect(faultsOf()).toEqual([])
  })

  it('accepts an import from a lower floor that is listed', () => {
    const files = { 'src/index.ts': "import { a } from '@leuria/protocol'" }
    expect(faultsOf(madeUp('@leuria/agent', { deps: ['@leuria/protocol'], files }))).toEqual([])
  })

  it.each([
    ['up, in package.json', madeUp('@leuria/agent', { deps: ['@leuria/engine'] }), /floor 5\) is above floor 1/],
    ['sideways, in package.json', madeUp('@leuria/agent', { deps: ['@leuria/pairing'] }), /same floor \(1\)/],
    ['sideways, as a dev dependency', madeUp('@leuria/agent', { dev: ['@leuria/pairing'] }), /same floor \(1\)/],
    ['a runtime dependency on testing', madeUp('@leuria/engine', { deps: ['@leuria/testing'] }), /only tests may use/],
    ['a package of ours that nobody knows', madeUp('@leuria/agent', { deps: ['@leuria/nope'] }), /nope has no floor/],
    ['a package without a floor', madeUp('@leuria/new-one', {}), /new-one has no floor/],
    ['a high floor under testing', madeUp('@leuria/testing', { deps: ['@leuria/state'] }), /above what .* may use/],
    ['more than the shapes under client', madeUp('@leuria/client', { deps: ['@leuria/agent'] }), /may use only/],
  ])('rejects %s', (_, pkg, fault) => {
    expect(faultsOf(pkg)).toEqual([expect.stringMatching(fault)])
  })

  it.each([
    ['an import up', "import { x } from '@leuria/engine'", /above floor 1/],
    ['an import sideways', "import { x } from '@leuria/pairing'", /same floor/],
    ['an import of types only', "import type { X } from '@leuria/engine'", /above floor 1/],
    ['a re-export', "export { x } from '@leuria/engine'", /above floor 1/],
    ['a dynamic import', "await import('@leuria/engine')", /above floor 1/],
    ['an import type', "let x: import('@leuria/engine').X", /above floor 1/],
    ['an import of testing outside tests', "import { x } from '@leuria/testing'", /only tests/],
    ['an npm package that is not listed', "import 'ws'", /ws is not in the dependencies/],
    ['an npm package that is only a dev dependency', "import fc from 'fast-check'", /not in the dependencies/],
    ['a lower floor that is not listed', "import { x } from '@leuria/clock'", /clock is not in the dependencies/],
    ['a path out of the package', "import { x } from '../../clock/src/index.js'", /leaves its package/],
    ['an import of itself by name', "import { x } from '@leuria/agent'", /may not import itself/],
    ['an import of a test', "import { x } from './x.test.js'", /may not import a test/],
    ['a Node module without its prefix', "import { x } from 'fs'", /write 'node:fs'/],
  ])('rejects %s', (_, text, fault) => {
    const dev = ['fast-check', '@leuria/testing']
    expect(faultsOf(madeUp('@leuria/agent', { dev, files: { 'src/x.ts': text } }))).toEqual([
      expect.stringMatching(fault),
    ])
  })

  it.each([
    ['testing', "import { x } from '@leuria/testing'"],
    ['itself by name', "import { x } from '@leuria/state'"],
    ['a listed dev dependency', "import fc from 'fast-check'"],
    ['the test runner', "import { it } from 'vitest'"],
    ['a lower floor listed for tests', "import { x } from '@leuria/agent'"],
  ])('lets a test import %s', (_, text) => {
    const dev = ['fast-check', '@leuria/testing', '@leuria/agent']
    expect(faultsOf(madeUp('@leuria/state', { dev, files: { 'src/x.test.ts': text } }))).toEqual([])
  })

  it('does not let a source import a tool of the root package', () => {
    const files = { 'src/x.ts': "import { it } from 'vitest'" }
    expect(faultsOf(madeUp('@leuria/state', { files }))).toEqual([expect.stringMatching(/not in the dependencies/)])
  })

  it('does not let a test import up', () => {
    const files = { 'src/x.test.ts': "import { x } from '@leuria/engine'" }
    expect(faultsOf(madeUp('@leuria/state', { files }))).toEqual([expect.stringMatching(/above floor 2/)])
  })

  it('counts dev dependencies of an app, which bundles them, but not testing', () => {
    const dev = ['@leuria/engine', '@leuria/testing']
    const good = { 'src/x.ts': "import { x } from '@leuria/engine'" }
    const bad = { 'src/x.ts': "import { x } from '@leuria/testing'" }
    expect(faultsOf(madeUp('@leuria/cli', { dev, files: good }))).toEqual([])
    expect(faultsOf(madeUp('@leuria/cli', { dev, files: bad }))).toEqual([expect.stringMatching(/only tests may use/)])
  })

  it('misses a package that the table names and the disk does not have', () => {
    const workspace = workspaceWith().filter((pkg) => pkg.name !== '@leuria/state')
    expect(layerFaults(workspace, new Set())).toEqual(['@leuria/state has a floor but no folder'])
  })
})

describe('packageOf', () => {
  it.each([
    ['ws', 'ws'],
    ['zod/mini', 'zod'],
    ['@leuria/protocol', '@leuria/protocol'],
    ['@leuria/protocol/browser', '@leuria/protocol'],
  ])('%s → %s', (specifier, name) => {
    expect(packageOf(specifier)).toBe(name)
  })
})
