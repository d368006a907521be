// What a release gives to strangers, tried before there is one: the command line from its tarball, the sidecar as one
// file, and what the changesets make of versions and change logs. Needs the build to have run; no network is used.
import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROOT, readWorkspace } from './workspace-facts.js'

const run = promisify(execFile)
const ownPnpm = join(ROOT, '.tools/node_modules/.bin/pnpm')
const pnpm = existsSync(ownPnpm) ? ownPnpm : 'pnpm'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leuria-release-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A computer on which nothing of ours is: an own home, and no setting of this one. */
function stranger(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, LEURIA_HOME: join(folder, 'home'), OLLAMA_HOST: '127.0.0.1:9' }
}

/** Starts a program and stops it once it says that it listens. */
async function startAndStop(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  // A group of its own: npx starts the program as a child.
  const child = spawn(command, args, { cwd: folder, env, detached: true })
  let said = ''
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('"event":"ready"')) resolve()
    })
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.once('close', () => {
      reject(new Error(`it ended before it was ready: ${said}`))
    })
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await ready
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await ended
}

describe('a release', { timeout: 120_000 }, () => {
  it('has a command line that runs from its tarball, with nothing else to install', async () => {
    const tarball = join(folder, 'leuria-cli.tgz')
    await run(pnpm, ['pack', '--out', tarball], { cwd: join(ROOT, 'apps/cli') })
    const npm = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
    await run('npm', ['install', ...npm, tarball], { cwd: folder, env: stranger() })
    const installed = await run('npm', ['ls', '--all', '--parseable'], { cwd: folder, env: stranger() })
    expect(installed.stdout.trim().split('\n').slice(1)).toEqual([join(folder, 'node_modules/@leuria/cli')])
    const { stdout } = await run('npx', ['--offline', 'leuria', '--version'], { cwd: folder, env: stranger() })
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+/)
    await startAndStop('npx', ['--offline', 'leuria', 'start', '--port', '0', '--json'], stranger())
  })

  it('has a sidecar that is one file', async () => {
    const file = join(folder, 'leuria-sidecar.mjs')
    cpSync(join(ROOT, 'apps/desktop/dist/leuria-sidecar.js'), file)
    const env = { ...stranger(), LEURIA_ADMIN_TOKEN: 'a'.repeat(43) }
    await startAndStop(process.execPath, [file, '--port', '0'], env)
  })

  it('raises all published packages to one version, with what their users notice', async () => {
    const workspace = readWorkspace()
    const manifests = ['', ...workspace.map((pkg) => pkg.folder)].map((each) => join(each, 'package.json'))
    for (const file of [...manifests, 'pnpm-workspace.yaml', '.changeset']) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      cpSync(join(ROOT, file), join(folder, file), { recursive: true })
    }
    await run(join(ROOT, 'node_modules/.bin/changeset'), ['version'], { cwd: folder, env: stranger() })
    const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
    const published = workspace.filter((pkg) => !pkg.isPrivate)
    const versions = published.map(
      (pkg) => (JSON.parse(read(`${pkg.folder}/package.json`)) as { version: string }).version,
    )
    expect(new Set(versions).size).toBe(1)
    expect(versions[0]).not.toBe('0.1.0')
    expect(read('apps/cli/CHANGELOG.md')).toContain('leuria')
  })
})
