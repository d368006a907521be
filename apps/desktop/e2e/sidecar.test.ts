/** The sidecar as the desktop app drives it: token in the environment, JSON lines on stdout, gone when stdin ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { rawRequest } from '@leuria/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'

const SIDECAR = fileURLToPath(new URL('../dist/leuria-sidecar.js', import.meta.url))
const TOKEN = 'a-fresh-admin-token-of-43-characters-aaaaaa'

let home = ''
let child: ChildProcess | undefined
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-desktop-'))
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await rm(home, { recursive: true, force: true })
})

interface Started {
  child: ChildProcess
  lines: Record<string, unknown>[]
  ended: Promise<number | null>
}

function start(env: Record<string, string>, args = ['--port', '0']): Started {
  const started = spawn(process.execPath, [SIDECAR, ...args], {
    env: { PATH: process.env.PATH, LEURIA_HOME: home, ...env },
  })
  child = started
  const lines: Record<string, unknown>[] = []
  createInterface({ input: started.stdout }).on('line', (line) =>
    lines.push(JSON.parse(line) as Record<string, unknown>),
  )
  return { child: started, lines, ended: new Promise((resolve) => started.on('close', resolve)) }
}

async function ready(started: Started): Promise<number> {
  await expect.poll(() => started.lines[0], { timeout: 10_000 }).toMatchObject({ event: 'ready' })
  return Number(started.lines[0]?.port)
}

it('serves the app until its stdin ends', async () => {
  const started = start({ LEURIA_ADMIN_TOKEN: TOKEN })
  const port = await ready(started)
  const status = await rawRequest({ port, path: '/admin/status', headers: [['Authorization', `Bearer ${TOKEN}`]] })
  expect(status).toMatchObject({ status: 200, json: { port } })
  expect(await rawRequest({ port, path: '/health', headers: [['Origin', 'https://shop.example']] })).toMatchObject({
    status: 403,
    text: '',
  })
  started.child.stdin?.end()
  expect(await started.ended).toBe(0)
})

it('takes the token out of its environment before anything else', async () => {
  const started = start({ LEURIA_ADMIN_TOKEN: TOKEN })
  await ready(started)
  // What the kernel shows is the environment at the start; the process's own copy is what children inherit.
  const commandLine = await readFile(`/proc/${started.child.pid}/cmdline`, 'utf8')
  expect(commandLine).not.toContain(TOKEN)
  started.child.stdin?.end()
  await started.ended
})

it.each([
  [{}, /LEURIA_ADMIN_TOKEN is not set/],
  [{ LEURIA_ADMIN_TOKEN: 'a'.repeat(31) }, /at least 32/],
  [{ LEURIA_ADMIN_TOKEN: `${'a'.repeat(31)} b` }, /no spaces/],
])('refuses to start with the token of %j, and never prints it', async (env, words) => {
  const started = start(env)
  expect(await started.ended).toBe(1)
  expect(started.lines).toMatchObject([{ event: 'error', code: 'bad_admin_token' }])
  expect(String(started.lines[0]?.message)).toMatch(words)
  expect(JSON.stringify(started.lines)).not.toContain('aaaaaaaa')
})

it('says when the port is taken', async () => {
  const first = start({ LEURIA_ADMIN_TOKEN: TOKEN })
  const port = await ready(first)
  const second = start({ LEURIA_ADMIN_TOKEN: TOKEN }, ['--port', String(port)])
  expect(await second.ended).toBe(1)
  expect(second.lines).toMatchObject([{ event: 'error', code: 'EADDRINUSE' }])
  first.child.stdin?.end()
  await first.ended
})
