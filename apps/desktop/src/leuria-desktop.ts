/** The desktop app without a native shell: `leuria-desktop [leuria://…]`. Reads arguments, prints, joins the parts. */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseLink } from '@leuria/protocol'
import { resolveHome } from '@leuria/state'
import { Desktop } from './desktop.js'
import { claimInstance } from './instance/single-instance.js'
import type { InstanceMessage } from './instance/message.js'
import { registerHandler, unregisterHandler } from './system/link-handler.js'

const HELP = `leuria-desktop [leuria://…]

Starts Leuria with a window, or brings the window of the one that runs to the front.

  --register     have leuria: links opened by this program (Linux)
  --unregister   take that back
  --quit         end the program that runs
  --port N       the engine's port for this run
  --help         this text

LEURIA_HOME is the folder of its files, LEURIA_BROWSER the program that shows the window.
`

const OWN_FILE = fileURLToPath(import.meta.url)

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

interface Arguments {
  values: { register?: boolean; unregister?: boolean; quit?: boolean; port?: string; help?: boolean }
  link: string | undefined
}

/** Links are arguments like any other and never read as options. `null`: it was something else. */
function readArguments(args: readonly string[]): Arguments | null {
  const links = args.filter((arg) => /^leuria:/i.test(arg))
  const others = args.filter((arg) => !/^leuria:/i.test(arg))
  try {
    const flag = { type: 'boolean' } as const
    const { values } = parseArgs({
      args: others,
      options: { register: flag, unregister: flag, quit: flag, help: flag, port: { type: 'string' } },
    })
    return { values, link: links[0] }
  } catch {
    return null
  }
}

async function register(isOn: boolean): Promise<void> {
  if (process.platform !== 'linux') {
    say('Registering for links is done here on Linux only; the README says how elsewhere.')
    process.exitCode = 1
    return
  }
  if (!isOn) {
    await unregisterHandler(process.env)
    say('leuria: links are no longer opened by this program.')
    return
  }
  const files = await registerHandler({ node: process.execPath, file: OWN_FILE, env: process.env })
  say(`leuria: links are opened by this program now. Written: ${files.join(', ')}`)
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => {
        resolve()
      })
  })
}

async function run(message: InstanceMessage, engineArgs: readonly string[]): Promise<void> {
  const home = resolveHome(process.env)
  const instance = await claimInstance({ home, message, log: say })
  if (instance.kind === 'handed_over') return
  if (instance.kind === 'no_answer') {
    say(`Leuria runs already (process ${instance.pid}) and does not answer. End it, then start it again.`)
    process.exitCode = 1
    return
  }
  if (message.do === 'quit') {
    await instance.close()
    return
  }
  const { LEURIA_ADMIN_TOKEN: _notOurs, ...env } = process.env
  const desktop = new Desktop({
    ...{ home, env, engineArgs, log: say },
    sidecar: fileURLToPath(new URL('leuria-sidecar.js', import.meta.url)),
    ui: fileURLToPath(new URL('ui', import.meta.url)),
  })
  process.once('exit', () => {
    desktop.kill()
  })
  const signalled = untilSignal()
  try {
    await desktop.start()
    await instance.listen((each) => {
      desktop.take(each)
    })
    desktop.take(message)
    await Promise.race([signalled, desktop.ended])
  } finally {
    await instance.close()
    await desktop.close()
  }
}

async function main(): Promise<void> {
  const read = readArguments(process.argv.slice(2))
  if (read === null) {
    say(HELP)
    process.exitCode = 1
    return
  }
  const { values, link } = read
  if (values.help === true) process.stdout.write(HELP)
  else if (values.register === true || values.unregister === true) await register(values.register === true)
  else {
    const message: InstanceMessage =
      values.quit === true ? { do: 'quit' } : { do: 'open', ...(link === undefined ? {} : { link }) }
    if (link !== undefined && parseLink(link) === null) {
      say('This link is none that Leuria knows.')
      process.exitCode = 1
      return
    }
    await run(message, values.port === undefined ? [] : ['--port', values.port])
  }
}

try {
  await main()
} catch (error) {
  // A visitor's mistake or a full disk, never a stack.
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
