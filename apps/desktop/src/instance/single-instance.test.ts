/** One program for each home, with real sockets and a process that is killed. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { InstanceMessage } from './message.js'
import { claimInstance, type Instance } from './single-instance.js'

let home = ''
let taken: InstanceMessage[]
const opened: Instance[] = []
beforeEach(async () => {
  home = join(await mkdtemp(join(tmpdir(), 'leuria-one-')), 'home')
  taken = []
})
afterEach(async () => {
  for (const instance of opened.splice(0)) if (instance.kind === 'first') await instance.close()
  await rm(join(home, '..'), { recursive: true, force: true })
})

const OPEN: InstanceMessage = { do: 'open' }

/** As a start does: listens where it is the first. */
async function start(message: InstanceMessage = OPEN): Promise<Instance['kind']> {
  const instance = await claimInstance({ home, message, log: () => undefined })
  opened.push(instance)
  if (instance.kind === 'first')
    await instance.listen((each) => {
      taken.push(each)
    })
  return instance.kind
}

const file = async (): Promise<{ socket?: string; holder?: unknown }> =>
  JSON.parse(await readFile(join(home, 'desktop.json'), 'utf8')) as { socket?: string }

it('is first, and later starts hand over what they were given', async () => {
  expect(await start()).toBe('first')
  expect(await start({ do: 'open', link: 'leuria://x' })).toBe('handed_over')
  expect(await start({ do: 'quit' })).toBe('handed_over')
  expect(taken).toEqual([{ do: 'open', link: 'leuria://x' }, { do: 'quit' }])
})

it('is one of ten that start at once', async () => {
  const kinds = await Promise.all(Array.from({ length: 10 }, () => start()))
  expect(kinds.filter((kind) => kind === 'first')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'handed_over')).toHaveLength(9)
  expect(taken).toHaveLength(9)
})

it('can be reached by its own user only', async () => {
  await start()
  const { socket = '' } = await file()
  expect((await stat(socket)).mode & 0o077).toBe(0)
  expect((await stat(home)).mode & 0o077).toBe(0)
})

describe('a home that is free again', () => {
  it('after the first one ended', async () => {
    await start()
    const [first] = opened
    if (first?.kind === 'first') await first.close()
    expect(await file()).not.toHaveProperty('holder')
    expect(await start()).toBe('first')
  })

  it('after the first one was killed, although its socket is still there', async () => {
    const program = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'])
    await vi.waitUntil(() => program.pid, { timeout: 20_000 })
    await start()
    const [first] = opened.splice(0)
    if (first?.kind === 'first') await first.close()
    const socket = join(home, 'desktop.sock')
    const holder = { pid: program.pid, host: hostname(), id: 'killed' }
    await writeFile(join(home, 'desktop.json'), JSON.stringify({ version: 1, holder, socket }))
    await writeFile(socket, '')
    program.kill('SIGKILL')
    await new Promise((resolve) => program.once('close', resolve))
    expect(await start()).toBe('first')
    expect(await start()).toBe('handed_over')
  })

  it('after its process id went to another program, which listens to nobody', async () => {
    await start()
    const [first] = opened.splice(0)
    if (first?.kind === 'first') await first.close()
    const holder = { pid: process.ppid, host: hostname(), id: 'another' }
    await writeFile(
      join(home, 'desktop.json'),
      JSON.stringify({ version: 1, holder, socket: join(home, 'desktop.sock') }),
    )
    expect(await start()).toBe('first')
  })

  it('but not while the first one hangs', async () => {
    await start()
    const [first] = opened.splice(0)
    if (first?.kind === 'first') await first.close()
    const socket = join(home, 'desktop.sock')
    const hanging = createServer(() => undefined)
    await new Promise<void>((resolve) => hanging.listen(socket, resolve))
    const holder = { pid: process.ppid, host: hostname(), id: 'hangs' }
    await writeFile(join(home, 'desktop.json'), JSON.stringify({ version: 1, holder, socket }))
    expect(await start()).toBe('no_answer')
    hanging.close()
  })
})

it('takes a home whose path is too long for a socket', async () => {
  home = join(home, 'x'.repeat(120))
  expect(await start()).toBe('first')
  expect(await start()).toBe('handed_over')
  expect((await file()).socket?.startsWith(tmpdir())).toBe(true)
})

it.each(['{}', 'nonsense', '{"do":"delete"}', `{"do":"open","link":"${'a'.repeat(20_000)}`])(
  'takes nothing from who says %.20s',
  async (text) => {
    await start()
    const { socket: path = '' } = await file()
    const answer = await new Promise<string>((resolve) => {
      let said = ''
      const socket = connect(path)
      socket.on('connect', () => socket.write(`${text}\n`))
      socket.on('data', (piece) => (said += piece.toString()))
      socket
        .on('error', () => undefined)
        .on('close', () => {
          resolve(said)
        })
    })
    expect([answer, taken]).toEqual(['', []])
    expect(await start()).toBe('handed_over')
  },
)

describe('a visitor that behaves badly', () => {
  const visit = async (): Promise<Socket> => {
    const { socket: path = '' } = await file()
    const socket = connect(path).on('error', () => undefined)
    await new Promise((resolve) => socket.once('connect', resolve))
    return socket
  }

  it('is heard once, however its bytes come', async () => {
    await start()
    const socket = await visit()
    socket.write('{"do":"open"}\n')
    const answered = new Promise((resolve) => socket.once('data', resolve))
    socket.write('{"do":"quit"}\n')
    await answered
    socket.write('more')
    socket.write('\n')
    await new Promise((resolve) => socket.once('close', resolve))
    expect(taken).toEqual([{ do: 'open' }])
    expect(await start()).toBe('handed_over')
  })

  it('keeps no program from ending by never finishing its word', async () => {
    await start()
    const socket = await visit()
    const trickle = setInterval(() => socket.write(' '), 100)
    const [first] = opened.splice(0)
    if (first?.kind === 'first') await first.close()
    clearInterval(trickle)
    expect(await start()).toBe('first')
  }, 15_000) // a visit may last 20 s
})

it('says what is wrong with a home that can not be used', async () => {
  await start()
  const [first] = opened.splice(0)
  if (first?.kind === 'first') await first.close()
  await rm(join(home, 'desktop.json'))
  await writeFile(home.replace(/home$/, 'file'), '')
  home = home.replace(/home$/, 'file')
  await expect(start()).rejects.toMatchObject({ name: 'StateError', message: expect.stringContaining(home) as unknown })
  await chmod(home, 0o600)
})
