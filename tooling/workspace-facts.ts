// Reads from disk what the rules of the house are about: packages, what they list, and what their files import.
// Judges nothing: layers.ts and house-rules.ts do.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The repository's root folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')

export interface ImportFacts {
  specifier: string
  /** Erased when compiled: `import type`, `export type … from`, `import('x').T`. */
  typeOnly: boolean
}

export interface SourceFacts {
  /** Relative to the package's folder, with `/`. */
  path: string
  isTest: boolean
  lines: number
  /** The comment the file opens with; empty when there is none. */
  header: string
  imports: readonly ImportFacts[]
  exportsStar: boolean
}

export interface PackageFacts {
  name: string
  /** Relative to the root: `packages/clock`. */
  folder: string
  isApp: boolean
  isPrivate: boolean
  /** Names in `dependencies`, `peerDependencies` and `optionalDependencies`. */
  dependencies: readonly string[]
  devDependencies: readonly string[]
  files: readonly SourceFacts[]
}

/** Every package and app of the workspace, `tooling` included. */
export function readWorkspace(): PackageFacts[] {
  const parents = ['packages', 'apps', 'bench'].filter((parent) => existsSync(join(ROOT, parent)))
  const folders = parents.flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`))
  return [...folders, 'tooling', 'bench']
    .filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
    .map(readPackage)
}

function readPackage(folder: string): PackageFacts {
  const manifest = readManifest(join(ROOT, folder, 'package.json'))
  return {
    name: manifest.name,
    folder,
    isApp: folder.startsWith('apps/') || folder === 'tooling' || folder === 'bench',
    isPrivate: manifest.private,
    dependencies: [...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies],
    devDependencies: manifest.devDependencies,
    files: sourceFiles(join(ROOT, folder)).map((path) => readSource(join(ROOT, folder), path)),
  }
}

/** The parts of a package.json that the rules need. */
export function readManifest(path: string) {
  const json: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const fields = isRecord(json) ? json : {}
  const keys = (field: string) => Object.keys(isRecord(fields[field]) ? fields[field] : {})
  return {
    name: typeof fields.name === 'string' ? fields.name : '',
    private: fields.private === true,
    scripts: keys('scripts'),
    entries: keys('exports').filter((entry) => entry !== './package.json'),
    dependencies: keys('dependencies'),
    peerDependencies: keys('peerDependencies'),
    optionalDependencies: keys('optionalDependencies'),
    devDependencies: keys('devDependencies'),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'coverage', '.turbo'])

function sourceFiles(folder: string): string[] {
  const found: string[] = []
  const walk = (current: string) => {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      const path = join(current, entry.name)
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) walk(path)
      } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts')) {
        found.push(relative(folder, path).split(sep).join('/'))
      }
    }
  }
  walk(folder)
  return found.sort()
}

function readSource(folder: string, path: string): SourceFacts {
  return parseSource(path, readFileSync(join(folder, path), 'utf8'))
}

/** Tests and what only they use. The builds leave these out. */
export const TEST_FILE = /\.(test|fixture)[.-]/

/** What the rules need to know about one file's text. */
export function parseSource(path: string, text: string): SourceFacts {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const imports: ImportFacts[] = []
  let exportsStar = false
  const note = (node: ts.Node | undefined, typeOnly: boolean) => {
    if (node && ts.isStringLiteralLike(node)) imports.push({ specifier: node.text, typeOnly })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      // `import { type T } from 'x'` isn't type-only: with verbatimModuleSyntax it still loads x.
      note(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    } else if (ts.isExportDeclaration(node)) {
      note(node.moduleSpecifier, node.isTypeOnly)
      if (node.moduleSpecifier && (!node.exportClause || ts.isNamespaceExport(node.exportClause))) exportsStar = true
    } else if (ts.isCallExpression(node) && isImportOrRequire(node.expression)) note(node.arguments[0], false)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) note(node.argument.literal, true)
    ts.forEachChild(node, visit)
  }
  visit(file)
  const comments = ts.getLeadingCommentRanges(text, ts.getShebang(text)?.length ?? 0) ?? []
  return {
    path,
    isTest: TEST_FILE.test(path) || /(^|\/)e2e\//.test(path) || path.endsWith('.config.ts'),
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    header: comments.map(({ pos, end }) => text.slice(pos, end)).join('\n'),
    imports,
    exportsStar,
  }
}

function isImportOrRequire(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
}
