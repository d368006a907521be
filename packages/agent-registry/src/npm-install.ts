/**
 * Installs an agent from npm, at exactly the registry's version, without running any of its scripts: what a package
 * wants to do at install time would be done with the visitor's rights and outside any box.
 */
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { findProgram } from '@leuria/agent-sandbox'
import semver from 'semver'
import * as z from 'zod/mini'
import { containedPath } from './contained-path.js'
import { complaint, type Installer, type InstallerContext, NO_NETWORK } from './installer.js'
import type { PackageSource } from './registry-document.js'
import { RegistryError } from './registry-error.js'
import { installerEnvironment, runTool, type ToolResult } from './run-tool.js'

const INSTALL_FLAGS = [
  '--ignore-scripts',
  '--omit=dev',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
]

const packageFile = z.looseObject({
  bin: z.optional(z.union([z.string(), z.record(z.string(), z.string())])),
})
const viewedEngines = z.looseObject({ 'engines.node': z.optional(z.string()) })

export function npmInstaller(source: PackageSource): Installer {
  const spec = source.package
  const name = spec.slice(0, spec.lastIndexOf('@'))
  return async (context) => {
    const npm = context.tools.npm ?? (await findNpm(context.env['PATH']))
    context.onProgress({ stage: 'fetching', message: `Asking npm about ${spec}` })
    await mustRunHere(spec, await run([...npm, 'view', spec, 'engines.node', 'version', '--json'], context))
    await writeFile(join(context.folder, 'package.json'), '{"private":true}\n')
    context.onProgress({ stage: 'fetching', message: `Fetching ${spec} and what it needs` })
    mustWork(spec, await run([...npm, 'install', spec, ...INSTALL_FLAGS], context))
    const entry = await entryOf(context.folder, name)
    const runtime = await runtimeOf(join(context.folder, entry))
    return { runtime, entry, args: source.args, env: source.env, source: `npm ${spec}` }
  }
}

/** The npm beside this program's Node.js, started by that Node.js: no shell, no `.cmd`. */
async function findNpm(path: string | undefined): Promise<string[]> {
  const found = await findProgram('npm', { path })
  const here = dirname(process.execPath)
  const places = [
    ...(found === null
      ? []
      : [await realpath(found), join(dirname(found), 'node_modules', 'npm', 'bin', 'npm-cli.js')]),
    join(here, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(here, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  for (const place of places)
    if (place.endsWith('npm-cli.js') && (await realpath(place).catch(() => null)) !== null)
      return [process.execPath, place]
  throw new RegistryError(
    'needs_program',
    'This AI is installed with npm, which is not on this computer. It comes with Node.js.',
  )
}

function run(command: readonly string[], { folder, env, signal, clock }: InstallerContext): Promise<ToolResult> {
  return runTool({ command, cwd: folder, env: installerEnvironment(env), signal, clock })
}

function mustWork(spec: string, result: ToolResult): void {
  if (result.code === 0) return
  if (NO_NETWORK.test(result.errors))
    throw new RegistryError(
      'offline',
      `npm reaches no server, so ${spec} can't be fetched. Agents that are installed keep working.`,
    )
  throw new RegistryError('install_failed', `npm could not install ${spec}: ${complaint(result.errors)}`)
}

/** Asked before anything big is fetched. */
async function mustRunHere(spec: string, result: ToolResult): Promise<void> {
  mustWork(spec, result)
  const wanted = readEngines(result.output)
  if (wanted === null || semver.validRange(wanted) === null) return
  if (!semver.satisfies(process.versions.node, wanted, { includePrerelease: true }))
    throw new RegistryError(
      'needs_newer_node',
      `${spec} needs Node.js ${wanted}; this computer runs ${process.versions.node}.`,
    )
}

/** With one field known npm prints that field alone. */
function readEngines(output: string): string | null {
  try {
    const read = viewedEngines.safeParse(JSON.parse(output))
    return read.success ? (read.data['engines.node'] ?? null) : null
  } catch {
    return null
  }
}

/** The program a package is named after, or its only one. */
async function entryOf(folder: string, name: string): Promise<string> {
  const home = join('node_modules', name)
  const read = packageFile.safeParse(JSON.parse(await readFile(join(folder, home, 'package.json'), 'utf8')))
  const bin = read.success ? read.data.bin : undefined
  const programs = typeof bin === 'string' ? { [basename(name)]: bin } : (bin ?? {})
  const path = programs[basename(name)] ?? (Object.keys(programs).length === 1 ? Object.values(programs)[0] : undefined)
  const entry = path === undefined ? null : containedPath(path)
  if (entry === null) throw new RegistryError('bad_package', `${name} has no program that could be started.`)
  return [...home.split(/[/\\]/), entry].join('/')
}

const SCRIPT = /\.[cm]?js$/
/** Longest first line that says who runs a script. */
const SHEBANG_BYTES = 128

async function runtimeOf(path: string): Promise<'node' | 'program'> {
  if (SCRIPT.test(path)) return 'node'
  const start = (await readFile(path)).subarray(0, SHEBANG_BYTES).toString('latin1').split('\n')[0] ?? ''
  return /^#!.*\bnode\b/.test(start) ? 'node' : 'program'
}
