/** A home with secrets, a folder with an agent that does as it is told, and a box around it. For tests. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { AgentLaunch, AgentProcess } from '@leuria/agent'
import { type Box, type BoxOptions, openBox } from './index.js'

/** Runs each line as the body of an async function and answers with its value, as JSON. */
const PUPPET = `
import { createInterface } from 'node:readline'
const AsyncFunction = (async () => {}).constructor
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await new AsyncFunction('load', JSON.parse(line))((name) => import(name)).catch((error) => ({ error: error.code ?? String(error) }))
  process.stdout.write(JSON.stringify(answer ?? null) + '\\n')
}
`
/** Takes no hint: neither the end of stdin nor SIGTERM. */
const STUBBORN = `
process.on('SIGTERM', () => {})
setInterval(() => {}, 1000)
console.log(process.pid)
`
/** Says goodbye when asked. */
const POLITE = `
import { writeFileSync } from 'node:fs'
process.on('SIGTERM', () => { console.log('tidied up'); process.exit(7) })
setInterval(() => {}, 1000)
console.log('ready')
`

export interface BoxScene {
  readonly visitorHome: string
  readonly agentFolder: string
  readonly scratchParent: string
  open(options?: BoxOptions): Promise<Box>
  launch(box: Box, script: 'puppet' | 'stubborn' | 'polite', more?: Partial<AgentLaunch>): Promise<AgentProcess>
  close(): Promise<void>
}

export async function boxScene(): Promise<BoxScene> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'leuria-test-')))
  const place = { visitorHome: join(top, 'home'), agentFolder: join(top, 'agent'), scratchParent: join(top, 'scratch') }
  for (const folder of Object.values(place)) await mkdir(folder)
  await mkdir(join(place.visitorHome, '.ssh'))
  await writeFile(join(place.visitorHome, '.ssh', 'id'), 'a private key')
  for (const [name, text] of Object.entries({ puppet: PUPPET, stubborn: STUBBORN, polite: POLITE }))
    await writeFile(join(place.agentFolder, `${name}.mjs`), text)
  const boxes: Box[] = []
  return {
    ...place,
    open: async (options = {}) => {
      const { visitorHome, scratchParent, agentFolder } = place
      const box = await openBox({ visitorHome, scratchParent, readable: [agentFolder], ...options })
      boxes.push(box)
      return box
    },
    launch: (box, script, more = {}) =>
      box.launch({
        command: process.execPath,
        args: [join(place.agentFolder, `${script}.mjs`)],
        env: {},
        sessionId: 's1',
        signal: new AbortController().signal,
        ...more,
      }),
    close: async () => {
      await Promise.all(boxes.map((box) => box.close()))
      await rm(top, { recursive: true, force: true })
    },
  }
}

/** Has a puppet run `code` inside its box. */
export async function tell(agent: AgentProcess, code: string): Promise<unknown> {
  const answer = nextLine(agent)
  agent.stdin.write(`${JSON.stringify(code)}\n`)
  return JSON.parse(await answer)
}

/** The next line of the program's output. Rejects when it ends first. */
export function nextLine(agent: AgentProcess): Promise<string> {
  const reader = createInterface({ input: agent.stdout })
  let errors = ''
  agent.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return new Promise((resolve, reject) => {
    reader.once('line', (line) => {
      resolve(line)
      reader.close()
      agent.stdout.resume()
    })
    reader.once('close', () => {
      reject(new Error(`It ended without a line. ${errors}`))
    })
  })
}

export interface Machine {
  /** The machine has a sandbox that we know and lets us use it. */
  readonly sandbox: boolean
  readonly why: string
}

/**
 * Whether the tests of the sandbox can run here. Under CI a missing bubblewrap is a failure (`.ci/run` installs it);
 * a machine that refuses namespaces is not: the tests then say so and are skipped.
 */
export function machineSandbox(): Machine {
  if (process.platform !== 'linux') return { sandbox: false, why: `not run on ${process.platform}` }
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--proc', '/proc', 'true'], { stdio: 'pipe' })
    return { sandbox: true, why: '' }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing && process.env['CI'] !== undefined) throw new Error('bubblewrap is not installed', { cause: error })
    return { sandbox: false, why: isMissing ? 'bubblewrap is not installed' : `no namespaces here: ${String(error)}` }
  }
}
