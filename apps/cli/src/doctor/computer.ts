/** What `leuria doctor` looks at besides the AIs: Node.js, the home folder, the port. */
import { askLeuria, whoHoldsPort } from '@leuria/engine'
import { access, constants, readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DEFAULT_PORT } from '@leuria/protocol'
import { openConfig } from '@leuria/state'
import { portFromEnvironment } from '../chosen-port.js'
import { homeOptions, using } from '../home.js'
import { bad, type Finding, good } from './finding.js'

/** What package.json asks for. */
const OLDEST_NODE = [20, 19] as const

export function lookAtNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? bad('Node.js', `This is Node.js ${version}.`, `Install Node.js ${OLDEST_NODE.join('.')} or newer.`)
    : good('Node.js', `${version}`)
}

const OTHERS_BITS = 0o077
/** Only these can be looked into by others on Windows, where access goes by lists. */
const HAS_MODES = process.platform !== 'win32'

async function openToOthers(home: string): Promise<string[]> {
  const names = (await readdir(home)).filter((name) => name.endsWith('.json')).map((name) => join(home, name))
  const facts = await Promise.all([home, ...names].map(async (path) => ({ path, mode: (await stat(path)).mode })))
  return HAS_MODES ? facts.filter(({ mode }) => (mode & OTHERS_BITS) !== 0).map(({ path }) => path) : []
}

/** Looks at it as it is: nothing is made or changed. */
export async function lookAtHome(home: string): Promise<Finding> {
  const name = 'Home folder'
  const facts = await stat(home).catch(() => null)
  if (facts === null) return good(name, `${home} will be made when it is needed.`)
  if (!facts.isDirectory()) return bad(name, `${home} is no folder.`, 'Move it away, or set LEURIA_HOME.')
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return bad(name, `${home} can't be written.`, `Make it yours: sudo chown -R "$USER" '${home}'`)
  }
  const open = await openToOthers(home)
  if (open.length === 0) return good(name, `${home}, for you alone`)
  const fix = `chmod go= ${open.map((path) => `'${path}'`).join(' ')}`
  return bad(name, `Other users of this computer can look into ${open.join(', ')}.`, fix)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false)
    })
    server.listen({ host: '127.0.0.1', port }, () => {
      server.close(() => {
        resolve(true)
      })
    })
  })
}

/** The one that `leuria start` would take. @throws UserError, StateError */
export async function lookAtPort(): Promise<Finding> {
  const name = 'Port'
  const port =
    portFromEnvironment() ?? (await using(openConfig(homeOptions()), (config) => config.value.port)) ?? DEFAULT_PORT
  if (await isFree(port)) return good(name, port === 0 ? 'any free one' : `${port} is free.`)
  const running = await askLeuria(port)
  if (running !== null) return good(name, `${port}: ${running}.`)
  const fix = 'End that program, or choose another port: leuria start --port <number>, or LEURIA_PORT.'
  return bad(name, `${port} is taken: ${await whoHoldsPort(port)}.`, fix)
}
