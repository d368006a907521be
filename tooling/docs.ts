// Reads what the documents claim: paths and scripts they name, code blocks, public names a package should tell about.
// Pure, but for the file list it is given; docs.test.ts compares the claims with the disk.
import { posix } from 'node:path'
import ts from 'typescript'

export interface CodeBlock {
  /** The words after the fence: `ts`, `ts run`, `sh`. */
  info: readonly string[]
  code: string
  /** 1-based line of the first line of code. */
  line: number
}

/** All fenced code blocks of a Markdown text. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let open: { fence: string; info: string[]; lines: string[]; line: number } | null = null
  for (const [index, text] of markdown.split('\n').entries()) {
    const fence = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/.exec(text)
    if (open) {
      if (fence?.[1]?.startsWith(open.fence) && fence[2] === '') {
        blocks.push({ info: open.info, code: open.lines.join('\n'), line: open.line })
        open = null
      } else open.lines.push(text)
    } else if (fence?.[1]) {
      open = { fence: fence[1], info: (fence[2] ?? '').split(/\s+/).filter(Boolean), lines: [], line: index + 2 }
    }
  }
  return blocks
}

/** The file that a block is, where its fence names one: ```ts main.ts */
export function fileOf({ info }: CodeBlock): string | null {
  return info.slice(1).find((word) => /^[\w-]+\.(ts|tsx|js|html)$/.test(word)) ?? null
}

/** What a block of HTML has in script elements without `src`, each with its line in the document. */
export function inlineScripts({ code, line }: CodeBlock): CodeBlock[] {
  return [...code.matchAll(/(<script(?![^>]*\ssrc=)[^>]*>)([^]*?)<\/script>/g)].map((match) => ({
    info: ['js'],
    code: match[2] ?? '',
    line: line + code.slice(0, match.index + (match[1]?.length ?? 0)).split('\n').length - 1,
  }))
}

/** Names of our own elements that a text uses. */
export function namedElements(html: string): string[] {
  return [...new Set([...html.matchAll(/<(leuria-[\w-]+)/g)].map((match) => match[1] ?? ''))]
}

/** Targets of links to a heading, as `[document, anchor]`; the document is '' for the text itself. */
export function namedAnchors(markdown: string): [document: string, anchor: string][] {
  const links = withoutBlocks(markdown).matchAll(/\]\(([\w./-]*\.md)?#([^)\s]+)\)/g)
  return [...links].map((match) => [match[1] ?? '', match[2] ?? ''])
}

/** The anchors that a reader of the rendered text can link to. */
export function anchorsOf(markdown: string): string[] {
  const titles = [...withoutBlocks(markdown).matchAll(/^#{1,6} +(.+)$/gm)].map((match) => match[1] ?? '')
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )
}

/** Top-level folders whose contents documents may name; a text in backticks that starts so is taken for a path. */
const ROOTS = /^(packages|apps|tooling|bench|docs|\.ci|\.github|\.changeset|\.tools)(\/|$)/
/** Files in the root that documents may name. */
const ROOT_FILE =
  /^([A-Z][A-Z-]+\.md|LICENSE|package\.json|turbo\.json|tsconfig[\w.-]*\.json|pnpm-[\w-]+\.yaml|[\w-]+\.config\.[jt]s)$/

/**
 * Paths that a document names in backticks or links to, relative to the root. A part `<name>` stands for any name.
 * @param folder where the document is, from which its links start
 */
export function namedPaths(markdown: string, folder = ''): string[] {
  const quoted = inBackticks(markdown).filter((text) => ROOTS.test(text) || ROOT_FILE.test(text))
  const links = [...withoutBlocks(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
  const local = links
    .filter((target) => !/^(#|[a-z]+:)/i.test(target))
    .map((target) => posix.join(folder, target.replace(/#.*$/, '')))
  return [...new Set([...quoted, ...local])].filter((path) => /[A-Za-z]/.test(path) && !/\s/.test(path))
}

/** Scripts of the root package that a document names: `npm start`, `npm run x`, `node tooling/task.mjs x`. */
export function namedScripts(markdown: string): string[] {
  const commands = [
    ...inBackticks(markdown),
    ...codeBlocks(markdown).flatMap(({ info, code }) =>
      /^(sh|bash|console)$/.test(info[0] ?? '') ? code.split('\n') : [],
    ),
  ]
  return [...new Set(commands.flatMap((command) => scriptOf(command) ?? []))]
}

function scriptOf(command: string): string | null {
  const match =
    /^npm (start|test)\b/.exec(command) ??
    /^(?:npm|pnpm) run ([\w:-]+)/.exec(command) ??
    /^node tooling\/task\.mjs (?!pnpm\b)([\w:-]+)/.exec(command)
  return match?.[1] ?? null
}

function withoutBlocks(markdown: string): string {
  return markdown.replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[`~]*\s*$/gm, '')
}

function inBackticks(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map((match) => (match[1] ?? '').trim())
}

/** Whether a path, in which `<name>` and `*` stand for any one name, is among the files. Folders count. */
export function pathExists(path: string, files: readonly string[]): boolean {
  const wanted = path.replace(/^\.\//, '').replace(/\/$/, '').split('/')
  const patterns = wanted.map(
    (part) =>
      new RegExp(
        `^${part
          .split(/<[\w-]+>|\*+/)
          .map(escape)
          .join('.+')}$`,
      ),
  )
  return files.some((file) => {
    const parts = file.split('/')
    return patterns.length <= parts.length && patterns.every((pattern, index) => pattern.test(parts[index] ?? ''))
  })
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Names of values (not types) that an entry file exports. Needs no type checker: type exports say `type`. */
export function exportedValues(source: string): string[] {
  const file = ts.createSourceFile('index.ts', source, ts.ScriptTarget.Latest)
  return file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause
      if (statement.isTypeOnly || !clause || !ts.isNamedExports(clause)) return []
      return clause.elements.filter((element) => !element.isTypeOnly).map((element) => element.name.text)
    }
    return isExported(statement) ? declaredNames(statement) : []
  })
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return statement.name ? [statement.name.text] : []
  }
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
}
