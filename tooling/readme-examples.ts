// Type-checks the `ts` and `tsx` examples of READMEs against the workspace's own types, and runs those marked `ts run`.
// An example stands alone: it imports all it uses, by package name.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import ts from 'typescript'
import type { CodeBlock } from './docs.js'
import { ROOT } from './workspace-facts.js'

export interface Example extends CodeBlock {
  /** Folder of the package whose README it is, relative to the root; '' is the root's README. */
  folder: string
}

/** Type errors of all examples at once, each with the README's line. */
export function typeErrors(examples: readonly Example[]): string[] {
  const virtual = new Map(
    examples.map((example, index) => [join(ROOT, example.folder, `README.${index}.${example.info[0]}`), example]),
  )
  const options = compilerOptions()
  const program = ts.createProgram([...virtual.keys()], options, compilerHost(virtual, options))
  return [...virtual].flatMap(([path, example]) => {
    const file = program.getSourceFile(path)
    return ts.getPreEmitDiagnostics(program, file).map((problem) => describe(problem, example))
  })
}

/** A host for which the examples are files in their package's folder, so that imports resolve as they do there. */
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
        // A README may show a package together with others that its package.json doesn't list.
        const ours = virtual.has(containing) ? /^@leuria\/([\w-]+)/.exec(literal.text) : null
        return found.resolvedModule || !ours ? found : resolveFrom(join(ROOT, 'packages', ours[1] ?? '', 'README.ts'))
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
  const where = join(example.folder, 'README.md')
  return `${where}:${example.line + line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
}

/** How long an example may take before it is stopped. */
const EXAMPLE_TIMEOUT_MS = 20_000

/** Runs an example in its package's folder, from sources. Resolves its exit code and all it wrote. */
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
