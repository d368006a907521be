/** The sidecar as the desktop app drives it: token in the environment, JSON lines on stdout, gone when stdin ends. */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawRequest } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readyPort, type Sidecar, startSidecar, TOKEN } from './sidecar-process.js'

let home = ''
let children: ChildProcess[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-desktop-'))
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  await rm(home, { recursive: true, force: true })
})

function start(env?: Record<string, string>, args?: string[]): Sidecar {
  const started = startSidecar({ home, env, args })
  children.push(started.child)
  return started
}

it('serves the app until its stdin ends', async () => {
  const started = start()
  const port = await readyPort(started)
  const status = await rawRequest({ port, path: '/admin/status', headers: [['Authorization', `Bearer ${TOKEN}`]] })
  expect(status).toMatchObject({ status: 200, json: { port } })
  expect(await rawRequest({ port, path: '/health', headers: [['Origin', 'https://shop.example']] })).toMatchObject({
    status: 403,
    text: '',
  })
  started.child.stdin?.end()
  expect(await started.ended).toBe(0)
})

/** Run inside the sidecar: says at its end what a child process would have inherited. */
const TELL = 'process.on("exit", () => process._rawDebug(`inherited: ${process.env.LEURIA_ADMIN_TOKEN}`))'

it('takes the token out of its environment, and keeps it out of process lists', async () => {
  const started = start({
    LEURIA_ADMIN_TOKEN: TOKEN,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}`,
  })
  await readyPort(started)
  if (process.platform === 'linux')
    expect(await readFile(`/proc/${started.child.pid}/cmdline`, 'utf8')).not.toContain(TOKEN)
  started.child.stdin?.end()
  await started.ended
  expect(started.said).toContain('inherited: undefined')
})

it.each([
  [{}, /LEURIA_ADMIN_TOKEN is not set/],
  [{ LEURIA_ADMIN_TOKEN: 'a'.repeat(31) }, /at least 32/],
  [{ LEURIA_ADMIN_TOKEN: `${'a'.repeat(31)} b` }, /no spaces/],
])('refuses to start with the token of %j, and never prints it', async (env, words) => {
  const started = start(env)
  expect(await started.ended).toBe(1)
  expect(started.lines).toMatchObject([{ event: 'error', code: 'bad_admin_token' }])
  expect(JSON.stringify(started.lines)).toMatch(words)
  expect(JSON.stringify(started.lines)).not.toContain('aaaaaaaa')
})

it('says when the port is taken', async () => {
  const first = start()
  const port = await readyPort(first)
  const second = start(undefined, ['--port', String(port)])
  expect(await second.ended).toBe(1)
  expect(second.lines).toMatchObject([{ event: 'error', code: 'EADDRINUSE' }])
  first.child.stdin?.end()
  await first.ended
})

describe('mcp-stdio, for agents without HTTP', () => {
  const bridge = (env: Record<string, string>, ...args: string[]): Sidecar => {
    const started = startSidecar({ home, env, args: ['mcp-stdio', ...args] })
    children.push(started.child)
    return started
  }

  it("carries requests to the engine's own door, and its refusals back", async () => {
    const engine = start()
    const port = await readyPort(engine)
    const { child, ended } = bridge({ LEURIA_MCP_TOKEN: 'wrong' }, `http://127.0.0.1:${port}/webmcp/mcp`)
    let said = ''
    child.stdout?.removeAllListeners('data').on('data', (piece: Buffer) => (said += piece.toString()))
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`)
    await vi.waitFor(() => expect(said).toContain('"error"'), { timeout: 20_000 })
    expect(JSON.parse(said.split('\n')[0] ?? '')).toMatchObject({ jsonrpc: '2.0', id: 1 })
    child.stdin?.end()
    expect(await ended).toBe(0)
    engine.child.stdin?.end()
    await engine.ended
  })

  it.each([
    [{}, 'http://127.0.0.1:9/webmcp/mcp', /LEURIA_MCP_TOKEN is not set/],
    [{ LEURIA_MCP_TOKEN: 'x' }, 'https://elsewhere.example/webmcp/mcp', /takes the engine's address/],
  ])('needs a token and an address on this computer: %j %s', async (env, address, words) => {
    const started = bridge(env, address)
    expect(await started.ended).toBe(1)
    expect(started.lines).toEqual([])
    expect(started.said).toMatch(words)
  })
})
