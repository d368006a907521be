// The floor of each package and the rule that holds the house up: imports go only to lower floors.
// Pure: takes facts about the workspace (workspace-facts.ts reads them), gives back sentences about what is wrong.
import { builtinModules } from 'node:module'
import { type PackageFacts, type SourceFacts, TEST_FILE } from './workspace-facts.js'

/** Where each package stands. A new package gets its row here first; ARCHITECTURE.md says what each floor is for. */
export const FLOORS: Readonly<Record<string, number>> = {
  '@leuria/clock': 0,
  '@leuria/protocol': 0,
  '@leuria/agent': 1,
  '@leuria/origin-policy': 1,
  '@leuria/pairing': 1,
  '@leuria/ai-choice': 1,
  '@leuria/state': 2,
  '@leuria/language-model': 2,
  '@leuria/page-tools': 2,
  '@leuria/agent-demo': 2,
  '@leuria/agent-sandbox': 2,
  '@leuria/grant-store': 3,
  '@leuria/audit': 3,
  '@leuria/usage': 3,
  '@leuria/session-manager': 3,
  '@leuria/webmcp-relay': 3,
  '@leuria/agent-acp': 3,
  '@leuria/agent-openai': 3,
  '@leuria/agent-ollama': 3,
  '@leuria/agent-lmstudio': 3,
  '@leuria/agent-registry': 3,
  '@leuria/admin-api': 4,
  '@leuria/embeddings': 4,
  '@leuria/client': 4,
  '@leuria/engine': 5,
  '@leuria/store': 5,
  '@leuria/connect': 5,
  '@leuria/self-test': 6,
  '@leuria/react': 6,
  '@leuria/conformance': 6,
  '@leuria/cli': 7,
  '@leuria/desktop': 7,
  '@leuria/app-demo': 7,
}

/** Packages for tests only. They import up to the given floor and are never a runtime dependency. */
export const DEV_PACKAGES: Readonly<Record<string, number>> = {
  '@leuria/testing': 1,
  '@leuria/tooling': 7,
  '@leuria/bench': 7,
}

/** Tighter than their floor: all that these may import of ours (its tests aside). */
const ONLY: Readonly<Record<string, readonly string[]>> = { '@leuria/client': ['@leuria/clock', '@leuria/protocol'] }

const BUILTINS = new Set(builtinModules)

/**
 * Everything wrong with who lists and who imports whom, one sentence each; empty when the house stands.
 * `tools`: what the root package provides for tests, configuration files and tooling, so that no package lists it.
 */
export function layerFaults(packages: readonly PackageFacts[], tools: ReadonlySet<string>): string[] {
  const names = new Set(packages.map((pkg) => pkg.name))
  const missing = packages.filter((pkg) => !isPlaced(pkg.name)).map((pkg) => `${pkg.name} has no floor`)
  const gone = Object.keys({ ...FLOORS, ...DEV_PACKAGES })
    .filter((name) => !names.has(name))
    .map((name) => `${name} has a floor but no folder`)
  return [
    ...missing,
    ...gone,
    ...packages
      .filter((pkg) => isPlaced(pkg.name))
      .flatMap((pkg) => [...manifestFaults(pkg), ...importFaults(pkg, tools)]),
  ]
}

function isPlaced(name: string): boolean {
  return Object.hasOwn(FLOORS, name) || Object.hasOwn(DEV_PACKAGES, name)
}

function isOurs(name: string): boolean {
  return name.startsWith('@leuria/')
}

/** Why `from` may not use `to`, or null. `inTest`: in its tests, where the dev packages are allowed too. */
function arrowFault(from: string, to: string, inTest: boolean): string | null {
  const target = FLOORS[to]
  if (Object.hasOwn(DEV_PACKAGES, to)) return inTest ? null : `only tests may use ${to}`
  if (target === undefined) return `${to} has no floor`
  const floor = FLOORS[from]
  if (floor === undefined) {
    const ceiling = DEV_PACKAGES[from] ?? -1
    return target <= ceiling ? null : `${to} (floor ${target}) is above what ${from} may use (floor ${ceiling})`
  }
  if (target === floor) return `${to} is on the same floor (${floor})`
  if (target > floor) return `${to} (floor ${target}) is above floor ${floor}`
  const only = ONLY[from]
  if (only && !inTest && !only.includes(to)) return `${from} may use only ${only.join(', ')}`
  return null
}

function manifestFaults(pkg: PackageFacts): string[] {
  const faults: string[] = []
  const check = (dependency: string, inTest: boolean, field: string) => {
    if (!isOurs(dependency)) return
    const fault = arrowFault(pkg.name, dependency, inTest)
    if (fault) faults.push(`${pkg.folder}/package.json, ${field}: ${fault}`)
  }
  for (const dependency of pkg.dependencies) check(dependency, false, 'dependencies')
  for (const dependency of pkg.devDependencies) check(dependency, true, 'devDependencies')
  return faults
}

function importFaults(pkg: PackageFacts, tools: ReadonlySet<string>): string[] {
  return pkg.files.flatMap((file) =>
    file.imports.flatMap(({ specifier }) => {
      const fault = specifier.startsWith('.')
        ? relativeFault(pkg, file, specifier)
        : (arrowOf(pkg, file, specifier) ?? listingFault(pkg, file, { specifier, tools }))
      return fault ? [`${pkg.folder}/${file.path} imports '${specifier}': ${fault}`] : []
    }),
  )
}

function relativeFault(pkg: PackageFacts, file: SourceFacts, specifier: string): string | null {
  const target = new URL(specifier, `file:///${pkg.folder}/${file.path}`).pathname
  if (!target.startsWith(`/${pkg.folder}/`)) return 'it leaves its package; import the package by name'
  return file.isTest || !TEST_FILE.test(target) ? null : 'a source may not import a test'
}

function arrowOf(pkg: PackageFacts, file: SourceFacts, specifier: string): string | null {
  const name = packageOf(specifier)
  if (name === pkg.name) return file.isTest ? null : 'a package may not import itself by name'
  if (!isOurs(name)) return null
  return arrowFault(pkg.name, name, file.isTest || Object.hasOwn(DEV_PACKAGES, pkg.name))
}

function listingFault(
  pkg: PackageFacts,
  file: SourceFacts,
  { specifier, tools }: { specifier: string; tools: ReadonlySet<string> },
): string | null {
  const name = packageOf(specifier)
  if (specifier.startsWith('node:') || name === pkg.name) return null
  if (BUILTINS.has(specifier)) return `write 'node:${specifier}'`
  if ((file.isTest || pkg.name === '@leuria/tooling') && tools.has(name)) return null
  // What is bundled into an app is no dependency of the published file, so an app lists all of it as dev.
  const devCounts = file.isTest || pkg.isApp
  if (pkg.dependencies.includes(name) || (devCounts && pkg.devDependencies.includes(name))) return null
  return `${name} is not in the ${devCounts ? 'dependencies or devDependencies' : 'dependencies'} of its package.json`
}

/** `@scope/name/sub` → `@scope/name`, `name/sub` → `name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
