/**
 * A list of agents on loopback, an npm that installs without a network, and a small agent that it installs: for tests of
 * everything that installs agents and signs in to them.
 */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Speaks as much ACP as a sign-in needs. It is signed in when Codex's own file is there. `chatgpt` makes that file,
 * `broken` names a great many pages and does nothing else, `in-terminal` is done by the argument `--login`.
 */
const AGENT = `#!/usr/bin/env node
const fs = require('node:fs'), path = require('node:path')
const folder = process.env.CODEX_HOME ?? path.join(process.env.HOME, '.codex'), file = path.join(folder, 'auth.json')
const signIn = () => { fs.mkdirSync(folder, { recursive: true }); fs.writeFileSync(file, '{"token":"t"}') }
if (process.argv.includes('--login')) { signIn(); process.exit(0) }
const advertise = () => { console.error(Array.from({ length: 30 }, (_, at) => 'https://ad-' + at + '.example' + (at === 1 ? '/\\u001b[31m' : '')).join(' ')) }
const METHODS = [{ id: 'chatgpt', name: 'ChatGPT' }, { id: 'broken', name: 'Broken' }, { id: 'in-terminal', name: 'Terminal', type: 'terminal', args: ['--login'] }]
const answers = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'x', version: '1.0.0' }, authMethods: METHODS, agentCapabilities: {} }),
  authenticate: ({ methodId }) => { console.error('Open https://sign-in.example/code'); if (methodId === 'chatgpt') signIn(); else advertise(); return {} },
  'session/new': () => { if (fs.existsSync(file)) return { sessionId: 's' }; throw { code: -32000, message: 'Authentication required' } },
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  let body
  try { body = { result: (answers[method] ?? (() => ({})))(params) } } catch (error) { body = { error } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n')
}).on('close', () => process.exit(0))
`

/** `@maker/slow` never comes to an end. */
const NPM = `
const fs = require('node:fs'), path = require('node:path')
const [, , verb, spec] = process.argv
const at = spec.lastIndexOf('@'), name = spec.slice(0, at), version = spec.slice(at + 1)
if (verb === 'view') { console.log(JSON.stringify(version)); process.exit(0) }
if (name === '@maker/slow') setInterval(() => {}, 1000)
else {
  const folder = path.join(process.cwd(), 'node_modules', name)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version, bin: './cli.js' }))
  fs.copyFileSync(path.join(__dirname, 'agent.js'), path.join(folder, 'cli.js'))
}
`

export interface AgentList extends AsyncDisposable {
  readonly url: string
  /** Its `npm` comes first on a PATH that begins with it; it also holds the agent, `agent.js`. */
  readonly bin: string
  /** What the list has from now on. */
  readonly serve: (...agents: readonly object[]) => void
  /** The list can't be reached any more. */
  readonly goOffline: () => Promise<void>
}

/** An entry of the list that npm installs. */
export function npmEntry(id: string, version = '1.0.0', name = `@maker/${id}`): object {
  return {
    id,
    name: `The ${id}`,
    version,
    description: 'Does it',
    distribution: { npx: { package: `${name}@${version}` } },
  }
}

/** An entry whose maker gives no checksum, for every computer there is. */
export function uncheckedEntry(id: string): object {
  // Discard (RFC 863): nobody listens there.
  const target = { archive: 'https://127.0.0.1:9/agent.tar.gz', cmd: './agent' }
  const systems = ['linux', 'darwin', 'windows'].flatMap((system) => [`${system}-x86_64`, `${system}-aarch64`])
  return {
    id,
    name: `The ${id}`,
    version: '1.0.0',
    distribution: { binary: Object.fromEntries(systems.map((key) => [key, target])) },
  }
}

export async function openAgentList(): Promise<AgentList> {
  const folder = await mkdtemp(join(tmpdir(), 'leuria-agent-list-'))
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'npm-cli.js'), NPM)
  await writeFile(join(bin, 'agent.js'), AGENT)
  await chmod(join(bin, 'npm-cli.js'), 0o755)
  await symlink(join(bin, 'npm-cli.js'), join(bin, 'npm'))
  let agents: readonly object[] = []
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ version: '1', agents }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const goOffline = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve()
      })
      server.closeAllConnections()
    })
  return {
    url: `http://127.0.0.1:${port}/registry.json`,
    bin,
    serve: (...served) => {
      agents = served
    },
    goOffline,
    async [Symbol.asyncDispose]() {
      await goOffline()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
