// Runs a script of this repository from a bare checkout: puts the pinned pnpm into .tools/, installs the
// dependencies when they are stale, then runs the script. Needs only Node.js and npm.
//   node tooling/task.mjs <script> [args...]     a script of the root package.json
//   node tooling/task.mjs pnpm <args...>         the pinned pnpm itself, e.g. to add a dependency
//   node tooling/task.mjs                        just install
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** After Ctrl+C the terminal has told every process already; one that is still there by then is told again. */
const INTERRUPT_GRACE_MS = 1_000
/** How often to look whether npm is still there: it starts us through a shell that doesn't hand signals on. */
const PARENT_CHECK_MS = 250

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tools = join(root, '.tools')
const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`This project needs Node.js 20.19 or newer; this is ${process.version}.`)
  process.exit(1)
}

const env = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), join(tools, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
}

let child = null
let stopping = null

function stop(signal) {
  stopping ??= signal
  const current = child
  if (signal !== 'SIGINT') current?.kill(signal)
  else setTimeout(() => current?.kill('SIGTERM'), INTERRUPT_GRACE_MS).unref()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && !stopping && stop('SIGTERM'), PARENT_CHECK_MS).unref()
}

/** Runs to the end; resolves the exit code a shell would report. */
function run(command, args, options = {}) {
  return new Promise((resolve) => {
    child = spawn(command, args, {
      cwd: root,
      env,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      ...options,
    })
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

async function ensurePnpm() {
  const pinned = /^pnpm@([^+]+)/.exec(readJson('package.json').packageManager)[1]
  const manifest = join(tools, 'node_modules', 'pnpm', 'package.json')
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === pinned) return
  console.error(`Getting pnpm ${pinned} (once, into .tools/) ...`)
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  await must('npm', ['install', '--prefix', tools, ...flags, `pnpm@${pinned}`])
}

function packageFolders() {
  const parents = ['packages', 'apps'].filter((parent) => existsSync(join(root, parent)))
  const folders = parents.flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)))
  return [...folders, 'tooling', 'bench'].filter((folder) => existsSync(join(root, folder, 'package.json'))).sort()
}

/** Changes when anything that an install depends on changes. Contents, not times: a checkout touches times. */
function installKey() {
  const hash = createHash('sha256')
  const manifests = packageFolders().map((folder) => join(folder, 'package.json'))
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests]) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

async function ensureInstalled() {
  const mark = join(root, 'node_modules', '.installed')
  const key = installKey()
  if (existsSync(mark) && readFileSync(mark, 'utf8') === key && packageFolders().every(hasModules)) return
  console.error('Installing dependencies (about 10 seconds the first time) ...')
  await must('pnpm', ['install', '--frozen-lockfile'])
  writeFileSync(mark, key)
}

function hasModules(folder) {
  const { dependencies = {}, devDependencies = {} } = readJson(folder, 'package.json')
  const needed = Object.keys(dependencies).length + Object.keys(devDependencies).length > 0
  return !needed || existsSync(join(root, folder, 'node_modules'))
}

/** Runs a root script without a package manager in between, so that signals and exit codes pass straight through. */
function runScript(script, args) {
  const line = readJson('package.json').scripts[script]
  if (!line) {
    console.error(`package.json has no script "${script}".`)
    return 1
  }
  const quoted = args.map((arg) => (/^[\w./:@=-]+$/.test(arg) ? arg : JSON.stringify(arg)))
  const isOneCommand = process.platform !== 'win32' && !/[&|;]/.test(line)
  return run([isOneCommand ? `exec ${line}` : line, ...quoted].join(' '), [], { shell: true })
}

const [script, ...args] = process.argv.slice(2)
await ensurePnpm()
if (script === 'pnpm') process.exitCode = await run('pnpm', args)
else {
  await ensureInstalled()
  if (script) process.exitCode = await runScript(script, args)
}
