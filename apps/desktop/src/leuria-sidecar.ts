/**
 * The desktop app's engine: `leuria-sidecar [--port N]`. Prints one JSON object a line on stdout, as `leuria start --json`
 * does, and ends when its stdin ends: the app is gone then, however it went.
 */
import { access, constants } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openAudit } from '@leuria/audit'
import { systemClock } from '@leuria/clock'
import { createEngine, type Engine, ENGINE_VERSION, ListenError, whoHoldsPort } from '@leuria/engine'
import type { ProcessEvent } from '@leuria/protocol'
import { runSelfTest } from '@leuria/self-test'
import { openFolder, resolveHome, StateError } from '@leuria/state'
import { takeAdminToken } from './admin-token.js'
import { BRIDGE_COMMAND, bridgeStdio } from './stdio-bridge.js'

function print(event: ProcessEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Tells the app why, and sets the exit code. */
function giveUp(code: string, message: string): void {
  print({ event: 'error', code, message })
  say(message)
  process.exitCode = 1
}

/** An engine that can only read would forget every answer: better told now. @throws StateError `not_writable` */
async function mustBeWritable(home: string): Promise<void> {
  await openFolder(home, { log: say })
  await access(home, constants.W_OK).catch((cause: unknown) => {
    const message = `${home} can't be written. Check who owns the folder and its permissions.`
    throw new StateError('not_writable', message, { cause })
  })
}

/** In words for the visitor: the app shows them, with a button to try again. */
async function explain(error: unknown): Promise<void> {
  if (error instanceof ListenError && error.code === 'EADDRINUSE') {
    const holder = await whoHoldsPort(error.port)
    giveUp(
      error.code,
      `Port ${error.port} is taken: ${holder}. End that program, then try again; or write another "port" into config.json.`,
    )
    return
  }
  const code = error instanceof ListenError || error instanceof StateError ? error.code : 'start_failed'
  giveUp(code, error instanceof Error ? error.message : String(error))
}

/** `undefined`: not given. @throws with words for the app's developer */
function readPort(args: string[]): number | undefined {
  const { port } = parseArgs({ args, options: { port: { type: 'string' } } }).values
  if (port === undefined) return undefined
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error('--port is a number from 0 to 65535.')
  return Number(port)
}

/** Another list of agents than the public one. */
function registryUrl({ ACP_REGISTRY_URL: url = '' }: NodeJS.ProcessEnv): { registryUrl?: string } {
  return URL.canParse(url) ? { registryUrl: url } : {}
}

/** Resolves when the app closes our stdin or dies, or at a signal. */
function untilEnd(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      resolve()
    }
    process.stdin.on('end', end).on('close', end).on('error', end)
    process.stdin.resume()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  })
}

async function run(engine: Engine, ended: Promise<void>): Promise<void> {
  engine.subscribe(print)
  const { port, url, agentName: agent } = engine
  print({ event: 'ready', port, url, version: ENGINE_VERSION, agent })
  await ended
  await engine.close()
}

async function main(): Promise<void> {
  const found = takeAdminToken(process.env)
  if (!found.ok) {
    giveUp('bad_admin_token', found.message)
    return
  }
  const ended = untilEnd()
  const home = resolveHome(process.env)
  const audit = openAudit({ home, clock: systemClock, log: say })
  try {
    await mustBeWritable(home)
    const port = readPort(process.argv.slice(2))
    const engine = await createEngine({
      home,
      mode: 'app',
      adminToken: found.token,
      audit,
      selfTest: runSelfTest,
      bridgeCommand: BRIDGE_COMMAND,
      ...registryUrl(process.env),
      log: { warn: say, debug: () => undefined },
      ...(port === undefined ? {} : { port }),
    })
    await run(engine, ended)
  } catch (error) {
    await explain(error)
  } finally {
    await audit.close()
    process.stdin.destroy()
  }
}

/** For an agent, which knows nothing of the app's lines: words on stderr alone. */
async function bridge(address: string | undefined): Promise<void> {
  await bridgeStdio(address).catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  })
}

const [command, address] = process.argv.slice(2)
await (command === 'mcp-stdio' ? bridge(address) : main())
