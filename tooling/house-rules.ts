// The rules of the house that a linter doesn't hold: file names and sizes, and what may reach a browser.
// Pure: takes facts (workspace-facts.ts), gives back sentences about what is wrong.
import { posix } from 'node:path'
import { packageOf } from './layers.js'
import type { PackageFacts, SourceFacts } from './workspace-facts.js'

/** Longest file without a reason in its header. Tests are exempt. */
const MAX_LINES = 400

/** A name that says nothing about what is inside collects everything. */
const VAGUE_NAMES = /(^|\/)(utils?|helpers?|common|misc|shared)(\/|(\.[\w-]+)*\.tsx?$)/

/** Entries whose whole import graph runs in a browser, and the npm packages it may reach. */
export const BROWSER_ENTRIES: readonly BrowserEntry[] = [
  {
    package: '@leuria/client',
    entry: 'src/index.ts',
    // The checker of JSON Schemas is loaded by pages that give one (its own bundle test holds that).
    mayImport: ['@leuria/clock', '@leuria/protocol/browser', '@cfworker/json-schema'],
  },
  { package: '@leuria/protocol', entry: 'src/browser.ts', mayImport: [] },
  { package: '@leuria/store', entry: 'src/index.ts', mayImport: [] },
]

export interface BrowserEntry {
  package: string
  entry: string
  /** Full specifiers; anything else that isn't relative is a fault. */
  mayImport: readonly string[]
}

/** Faults of single files: barrels with a star, long files without a reason, names that say nothing. */
export function fileFaults(pkg: PackageFacts): string[] {
  return pkg.files.flatMap((file) => oneFileFaults(file).map((fault) => `${pkg.folder}/${file.path} ${fault}`))
}

function oneFileFaults(file: SourceFacts): string[] {
  const faults: string[] = []
  if (file.exportsStar) faults.push('has `export *`: list the names')
  if (VAGUE_NAMES.test(file.path)) faults.push('is named after nothing: name it after its one idea')
  if (!file.isTest && file.lines > MAX_LINES && !hasReason(file.header)) {
    faults.push(
      `has ${file.lines} lines: split it, or open it with /* eslint-disable max-lines -- why */ (${MAX_LINES} is the most)`,
    )
  }
  return faults
}

/** The lint directive needs words behind it, so that the exception and its reason are one line. */
function hasReason(header: string): boolean {
  return /eslint-disable max-lines -- \S.{15,}/.test(header)
}

/** What an entry for browsers reaches and must not: Node's modules, and packages that aren't on its list. */
export function browserFaults(pkg: PackageFacts, { entry, mayImport }: Omit<BrowserEntry, 'package'>): string[] {
  const byPath = new Map(pkg.files.map((file) => [file.path, file]))
  const faults: string[] = []
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    const file = byPath.get(path)
    if (!file) return void faults.push(`${pkg.folder}/${path} does not exist`)
    for (const { specifier, typeOnly } of file.imports) {
      if (typeOnly) continue // erased: never reaches the browser
      if (specifier.startsWith('.')) visit(posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.ts')))
      else if (!mayImport.includes(specifier)) {
        faults.push(`${pkg.folder}/${path} (reached from ${entry}) imports ${specifier}`)
      }
    }
  }
  visit(entry)
  return faults
}

/** Sub-entries of our packages that are imported but not in the target's `exports`. */
export function entryFaults(pkg: PackageFacts, entriesOf: (name: string) => readonly string[]): string[] {
  return pkg.files.flatMap((file) =>
    file.imports
      .map(({ specifier }) => ({ specifier, name: packageOf(specifier) }))
      .filter(({ specifier, name }) => name.startsWith('@leuria/') && specifier !== name)
      .filter(({ specifier, name }) => !entriesOf(name).includes(`.${specifier.slice(name.length)}`))
      .map(({ specifier }) => `${pkg.folder}/${file.path} imports ${specifier}, which is not exported`),
  )
}
