/** The live view in a terminal: what is on the screen while sites ask and talk, and what is left when it ends. */
import { spawn, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { CLI, temporaryHome } from './cli-process.js'
import { callAs } from './connect-site.js'

/** `script` of util-linux gives a program a terminal of its own. */
const HAS_SCRIPT = spawnSync('script', ['--version']).status === 0

interface Terminal {
  /** All that was written to it. */
  readonly output: string
  /** What the person sees now: escapes that take lines back are left out of the last drawing. */
  readonly last: string
  send(signal: NodeJS.Signals): void
  readonly ended: Promise<number | null>
}

function openTerminal(home: string, args: readonly string[]): Terminal {
  const command = [process.execPath, CLI, 'start', '--port', '0', '--no-open', ...args].join(' ')
  // `stty` says how large the terminal is; `exec` makes the engine the one that is signalled.
  const child = spawn('script', ['-qefc', `stty rows 40 cols 100; exec ${command}`, '/dev/null'], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      LEURIA_HOME: home,
      TERM: 'xterm',
      OLLAMA_HOST: '127.0.0.1:9',
      NO_COLOR: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    get output() {
      return output
    },
    get last() {
      return output.slice(Math.max(0, output.lastIndexOf('Leuria 0.')))
    },
    send(signal) {
      if (signal === 'SIGINT') child.stdin.write('\u0003')
      else child.kill(signal)
    },
    ended: new Promise((resolve) => {
      child.on('close', resolve)
    }),
  }
}

function portOf({ output }: Terminal): number {
  return Number(/127\.0\.0\.1:(\d+)/.exec(output)?.[1])
}

it.skipIf(!HAS_SCRIPT)(
  'shows who asks and what goes on, and leaves the last state behind',
  { timeout: 60_000 },
  async () => {
    await using home = await temporaryHome()
    const terminal = openTerminal(home.path, [])
    await expect.poll(() => terminal.output, { timeout: 20_000 }).toContain('No site is talking to your AI right now.')
    const port = portOf(terminal)
    const url = `http://127.0.0.1:${port}`
    const origin = 'https://shop.example'

    const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
    const engine = { ready: { event: 'ready' as const, port, url, version: '', agent: '' } }
    const claimed = callAs({ engine, path: '/connect/claim', origin, body: { nonce, app: 'Shop' } })
    await expect.poll(() => terminal.last, { timeout: 20_000 }).toContain('shop.example waits for your answer')
    // A drawing comes in pieces: an address is whole once something comes after it.
    const told = () => /(http:\S+\/connect\/\S+)\s/.exec(terminal.output)?.[1]
    await expect.poll(told).toBeDefined()
    const address = new URL(told() ?? expect.fail('no address'))
    const key = address.searchParams.get('key')
    await callAs({ engine, path: `${address.pathname}/decide`, origin: url, body: { allow: true, key } })
    const { json } = await claimed
    const token =
      typeof json === 'object' && json !== null && 'token' in json ? String(json.token) : expect.fail('no token')
    await expect.poll(() => terminal.last).toContain('1 site connected')
    await expect.poll(() => terminal.last).toContain('shop.example: allowed')
    expect(terminal.last).not.toContain('waits for your answer')

    await callAs({ engine, path: '/session/prepare', origin, token, body: {} })
    await expect.poll(() => terminal.last).toMatch(/shop\.example +1 conversation +waiting/)
    terminal.send('SIGINT')
    expect(await terminal.ended).toBe(0)
    expect(terminal.last).toContain('1 site connected')
  },
)

it.skipIf(!HAS_SCRIPT)('prints plain lines where a person wants them', { timeout: 60_000 }, async () => {
  await using home = await temporaryHome()
  const terminal = openTerminal(home.path, ['--plain'])
  await expect.poll(() => terminal.output, { timeout: 20_000 }).toContain('press Connect there')
  terminal.send('SIGINT')
  expect(await terminal.ended).toBe(0)
  // No escape that takes lines back.
  expect(terminal.output).not.toMatch(/\u001b\[\d*[AJK]/)
})
