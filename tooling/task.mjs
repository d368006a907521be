// Runs a script of this repository from a bare checkout: puts the pinned pnpm into .tools/, installs the
// dependencies when they are stale, then runs the script. Needs only Node.js and npm.
//   node tooling/task.mjs <script> [args...]
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tools = join(root, '.tools')
const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
const pinned = /^pnpm@([^+]+)/.exec(readJson('package.json').packageManager)[1]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`This project needs Node.js 20.19 or newer; this is ${process.version}.`)
  process.exit(1)
}

const env = {
  ...process.env,
  PATH: join(tools, 'node_modules', '.bin') + delimiter + process.env.PATH, // turbo looks for pnpm on PATH
  TURBO_TELEMETRY_DISABLED: '1',
}

let child = null
let stopping = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // Ctrl+C reaches the whole process group; a signal sent to this process alone must be handed on.
  process.on(signal, () => {
    stopping = signal
    child?.kill(signal)
  })
}

function run(command, args) {
  return new Promise((resolve) => {
    child = spawn(command, args, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' })
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

async function must(command, args) {
  const code = await run(command, args)
  if (stopping) process.exit(128 + constants.signals[stopping])
  if (code !== 0) process.exit(code)
}

function isPnpmReady() {
  try {
    return readJson('.tools', 'node_modules', 'pnpm', 'package.json').version === pinned
  } catch {
    return false
  }
}

function isInstallStale() {
  const mark = join(root, 'node_modules', '.modules.yaml')
  if (!existsSync(mark)) return true
  const installedAt = statSync(mark).mtimeMs
  const manifests = ['packages', 'apps'].flatMap((parent) =>
    existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => join(parent, name)) : [],
  )
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', join('tooling', 'package.json')]
  for (const folder of manifests) {
    if (!existsSync(join(root, folder, 'package.json'))) continue
    if (!existsSync(join(root, folder, 'node_modules'))) return true
    files.push(join(folder, 'package.json'))
  }
  return files.some((file) => existsSync(join(root, file)) && statSync(join(root, file)).mtimeMs > installedAt)
}

if (!isPnpmReady()) {
  console.error(`Getting pnpm ${pinned} (once, into .tools/) ...`)
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  await must('npm', ['install', '--prefix', tools, ...flags, `pnpm@${pinned}`])
}
if (isInstallStale()) {
  console.error('Installing dependencies (about 10 seconds the first time) ...')
  await must('pnpm', ['install', '--frozen-lockfile'])
}

const [script, ...rest] = process.argv.slice(2)
if (script) process.exitCode = await run('pnpm', ['run', script, ...rest])
