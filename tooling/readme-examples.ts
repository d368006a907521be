// Type-checks the examples of READMEs and guides against the workspace's own types, and runs those marked `ts run`.
// An example stands alone: it imports all it uses, by package name. In guides it may also import another one that its
// fence names as a file (```ts leuria.ts).
import { spawn } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import { type CodeBlock, fileOf } from './docs.js'
import { ROOT } from './workspace-facts.js'

export interface Example extends CodeBlock {
  /** The README or guide that shows it, relative to the root. */
  document: string
  /** Where it runs: the folder of a package that has all it imports, relative to the root. */
  folder: string
}

/** Type errors of all examples at once, each with the document's line. */
export function typeErrors(examples: readonly Example[]): string[] {
  return errorsOf(examples, { options: compilerOptions(), ambient: [] })
}

/** Likewise for scripts of plain pages: they know the global `Leuria`, and are held to types as loosely as editors do it. */
export function scriptErrors(examples: readonly Example[]): string[] {
  const options = { ...compilerOptions(), allowJs: true, checkJs: true, strict: false, noUncheckedIndexedAccess: false }
  return errorsOf(examples, { options, ambient: [join(ROOT, 'packages/connect/src/standalone-global.ts')] })
}

interface Check {
  options: ts.CompilerOptions
  /** Files whose global declarations hold. */
  ambient: readonly string[]
}

function errorsOf(examples: readonly Example[], { options, ambient }: Check): string[] {
  const virtual = new Map(examples.map((example, index) => [pathOf(example, index), example]))
  const program = ts.createProgram([...virtual.keys(), ...ambient], options, compilerHost(virtual, options))
  return [...virtual].flatMap(([path, example]) => {
    const file = program.getSourceFile(path)
    return ts.getPreEmitDiagnostics(program, file).map((problem) => describe(problem, example))
  })
}

/** As which file the compiler sees it: beside its document, so that imports resolve as they do there. */
function pathOf(example: Example, index: number): string {
  const file = fileOf(example) ?? `${basename(example.document, '.md')}.${index}.${example.info[0]}`
  return join(ROOT, dirname(example.document), file)
}

/** Packages with what pages use beside ours: validators, React. Guides belong to no package. */
const LENDERS = ['packages/client', 'packages/react']

/** A host for which the examples are files. */
function compilerHost(virtual: ReadonlyMap<string, Example>, options: ts.CompilerOptions): ts.CompilerHost {
  const disk = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => virtual.has(path) || disk.fileExists(path),
    // `export {}` on the last line makes a module of an example without moving its lines.
    readFile: (path) => (virtual.has(path) ? `${virtual.get(path)?.code}\nexport {}` : disk.readFile(path)),
    getSourceFile: (path, version, ...rest) => {
      if (!virtual.has(path)) return disk.getSourceFile(path, version, ...rest)
      return ts.createSourceFile(path, host.readFile(path) ?? '', version)
    },
    resolveModuleNameLiterals: (literals, containing, ...[redirected, , sourceFile]) =>
      literals.map((literal) => {
        const mode = ts.getModeForUsageLocation(sourceFile, literal, options)
        const resolveFrom = (path: string) =>
          ts.resolveModuleName(literal.text, path, options, host, undefined, redirected, mode)
        const found = resolveFrom(containing)
        if (found.resolvedModule || !virtual.has(containing)) return found
        // A README may show a package together with others that its package.json doesn't list.
        const ours = /^@leuria\/([\w-]+)/.exec(literal.text)
        const others = ours ? [`packages/${ours[1]}`] : LENDERS
        const elsewhere = others.map((folder) => resolveFrom(join(ROOT, folder, 'README.ts')))
        return elsewhere.find(({ resolvedModule }) => resolvedModule) ?? found
      }),
  }
  return host
}

function compilerOptions(): ts.CompilerOptions {
  const path = join(ROOT, 'tsconfig.check.browser.json')
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config: unknown }
  return { ...ts.parseJsonConfigFileContent(config, ts.sys, ROOT, undefined, path).options, noEmit: true }
}

function describe({ file, start, messageText }: ts.Diagnostic, example: Example): string {
  const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : 0
  return `${example.document}:${example.line + line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
}

/** How long an example may take before it is stopped. */
const EXAMPLE_TIMEOUT_MS = 20_000

/** Runs an example in its folder, from sources. Resolves its exit code and all it wrote. */
export function runExample(example: Example, env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const javascript = ts.transpileModule(example.code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
  }).outputText
  const args = ['--conditions=@leuria/source', '--import', 'tsx', '--input-type=module']
  const child = spawn(process.execPath, args, {
    cwd: join(ROOT, example.folder),
    env,
    stdio: 'pipe',
    timeout: EXAMPLE_TIMEOUT_MS,
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stdin.end(javascript)
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }))
  })
}
