// One configuration for every package and app: a project each, run from sources (no build needed before a test).
import { existsSync, readdirSync } from 'node:fs'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

const conditions = ['@leuria/source', ...defaultServerConditions]

const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(parent)
    .filter((name) => existsSync(`${parent}/${name}/package.json`))
    .map((name) => ({ name, root: `${parent}/${name}` })),
)
const unit = folders.map(({ name, root }) => ({
  extends: true as const,
  root,
  test: { name, include: ['{src,ui}/**/*.test.ts'] },
}))
/** Reads, compiles and packs the whole workspace: slow on a busy machine. */
const bench = { extends: true as const, root: 'bench', test: { name: 'bench', include: ['src/**/*.test.ts'] } }
const tooling = {
  extends: true as const,
  root: 'tooling',
  test: { name: 'tooling', testTimeout: 120_000, hookTimeout: 120_000 },
}
/** Whole-system tests of the apps, in a real browser where needed. They drive what the build made. */
const e2e = folders
  .filter(({ root }) => existsSync(`${root}/e2e`))
  .map(({ name, root }) => ({
    extends: true as const,
    root,
    test: { name: `${name}-e2e`, include: ['e2e/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
  }))

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [...unit, tooling, bench, ...e2e],
    pool: 'forks',
    maxWorkers: 2,
    // What is waited for comes, however busy the machine is; Vitest's own limits (5 s, a second) are too short for that.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // On a machine that others use, too, a test that failed gets one more try, and is shown with `(retry x1)`: that is a fault
    // to be found, but not a reason to hold everything else back. Here at hand it fails at once.
    retry: process.env.CI === undefined ? 0 : 1,
    passWithNoTests: true,
  },
})
