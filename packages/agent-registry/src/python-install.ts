/**
 * Installs an agent from PyPI with uv, at exactly the registry's version, into a virtual environment of its own that
 * can be moved. Only ready-made wheels: building one would run its maker's code outside any box.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '@leuria/agent-sandbox'
import { complaint, type Installer, type InstallerContext, NO_NETWORK } from './installer.js'
import type { PackageSource } from './registry-document.js'
import { RegistryError } from './registry-error.js'
import { installerEnvironment, runTool } from './run-tool.js'

const VENV = 'venv'

export function pythonInstaller(source: PackageSource): Installer {
  const [, name = '', version = ''] = /^([^@=[\]]+(?:\[[^\]]*\])?)(?:@|==)(.+)$/.exec(source.package) ?? []
  const spec = `${name}==${version}`
  return async (context) => {
    const uv = context.tools.uv ?? (await findUv(context.env['PATH']))
    const folder = join(context.folder, VENV)
    context.onProgress({ stage: 'fetching', message: `Fetching ${spec} and what it needs` })
    await run(spec, [...uv, 'venv', '--quiet', '--relocatable', folder], context)
    const install = [...uv, 'pip', 'install', '--quiet', '--only-binary', ':all:', '--python', folder, spec]
    await run(spec, install, context)
    const entry = await entryOf(context.folder, name.replace(/\[.*/, ''))
    return { runtime: 'python', entry, args: source.args, env: source.env, source: `PyPI ${spec}` }
  }
}

async function findUv(path: string | undefined): Promise<string[]> {
  const found = await findProgram('uv', { path })
  if (found === null)
    throw new RegistryError(
      'needs_program',
      'This AI is installed with uv, which is not on this computer: https://docs.astral.sh/uv/',
    )
  return [found]
}

async function run(spec: string, command: readonly string[], context: InstallerContext): Promise<void> {
  const { folder, env, signal, clock } = context
  const result = await runTool({ command, cwd: folder, env: installerEnvironment(env), signal, clock })
  if (result.code === 0) return
  if (NO_NETWORK.test(result.errors))
    throw new RegistryError(
      'offline',
      `uv reaches no server, so ${spec} can't be fetched. Agents that are installed keep working.`,
    )
  throw new RegistryError('install_failed', `uv could not install ${spec}: ${complaint(result.errors)}`)
}

async function entryOf(folder: string, name: string): Promise<string> {
  const scripts = process.platform === 'win32' ? 'Scripts' : 'bin'
  const wanted = process.platform === 'win32' ? `${name}.exe` : name
  const names = await readdir(join(folder, VENV, scripts))
  if (!names.includes(wanted)) throw new RegistryError('bad_package', `${name} has no program of that name.`)
  return `${VENV}/${scripts}/${wanted}`
}
