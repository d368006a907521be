// The proxy does to connections what it says, and nothing else: everyone who tests behind it relies on that.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { CONNECTION_FAULTS, type ConnectionFault, type FaultProxy, faultProxy } from './fault-proxy.js'
import { seededRandom } from './seeded-random.js'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A server that says back what it hears, and remembers it by connection. */
async function echo(): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const at = heard.push('') - 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      heard[at] += data.toString()
      socket.write(data)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

async function between(
  target: number,
  percent: Partial<Record<ConnectionFault, number>>,
  seed = 1,
): Promise<FaultProxy> {
  // Long waits: a reordered connection begins with the next one and not because its time is over.
  const maxWaitMs = percent.reorder === 100 ? 60_000 : 20
  const proxy = await faultProxy({ target, percent, random: seededRandom(seed), maxBytes: 50, maxWaitMs })
  closers.push(() => proxy.close())
  return proxy
}

/** Says something, then listens until the other side ends or `enough` has come. */
function talk(port: number, text: string, enough = text.length): Promise<{ text: string; ended: boolean }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      heard += data.toString()
      if (heard.length < enough) return
      socket.destroy()
      resolve({ text: heard, ended: false })
    })
    socket.on('close', () => {
      resolve({ text: heard, ended: heard.length < enough })
    })
    socket.write(text)
  })
}

const LONG = 'abcdefghij'.repeat(30)

it('passes everything on unharmed when it is to do nothing', async () => {
  const server = await echo()
  const proxy = await between(server.port, {})
  const answers = await Promise.all([1, 2, 3].map((count) => talk(proxy.port, LONG + count)))
  expect(answers.map(({ text }) => text)).toEqual([1, 2, 3].map((count) => LONG + count))
  expect(proxy.counts.get('none')).toBe(3)
})

it.each(['cut_answer', 'stall'] as const)('%s: a part of the answer comes, then the end', async (fault) => {
  const server = await echo()
  const proxy = await between(server.port, { [fault]: 100 })
  const { text, ended } = await talk(proxy.port, LONG)
  expect(ended).toBe(true)
  expect(LONG.startsWith(text) && text.length <= 50).toBe(true)
  await expect.poll(() => proxy.open).toBe(0)
})

it('cut_request: a part of what was said arrives', async () => {
  const server = await echo()
  const proxy = await between(server.port, { cut_request: 100 })
  expect((await talk(proxy.port, LONG)).ended).toBe(true)
  expect(server.heard.every((heard) => LONG.startsWith(heard) && heard.length <= 50)).toBe(true)
})

it('delay: everything comes, in order', async () => {
  const server = await echo()
  const proxy = await between(server.port, { delay: 100 })
  expect(await talk(proxy.port, LONG)).toEqual({ text: LONG, ended: false })
})

it('duplicate: the other side hears it twice, the client once', async () => {
  const server = await echo()
  const proxy = await between(server.port, { duplicate: 100 })
  expect(await talk(proxy.port, 'hello')).toEqual({ text: 'hello', ended: false })
  await expect.poll(() => server.heard).toEqual(['hello', 'hello'])
})

it('reorder: a connection begins after the next one', async () => {
  const server = await echo()
  const proxy = await between(server.port, { reorder: 100 })
  const first = talk(proxy.port, 'first')
  await expect.poll(() => proxy.counts.get('reorder')).toBe(1)
  proxy.calm()
  const second = talk(proxy.port, 'second')
  expect(await Promise.all([first, second])).toMatchObject([{ text: 'first' }, { text: 'second' }])
  expect(server.heard).toEqual(['second', 'first'])
})

it('chooses the same faults for the same seed, all of them sooner or later', async () => {
  const server = await echo()
  const percent = Object.fromEntries(Object.keys(CONNECTION_FAULTS).map((fault) => [fault, 14]))
  const play = async (seed: number): Promise<unknown> => {
    const proxy = await between(server.port, percent, seed)
    for (let count = 0; count < 60; count += 1) await talk(proxy.port, 'x')
    return proxy.counts
  }
  const counts = await play(7)
  expect(await play(7)).toEqual(counts)
  expect((counts as FaultProxy['counts']).size).toBe(Object.keys(CONNECTION_FAULTS).length + 1)
})

it('leaves nothing open when it closes', async () => {
  const server = await echo()
  const proxy = await between(server.port, {})
  const talking = talk(proxy.port, 'x', 100)
  await expect.poll(() => proxy.open).toBe(2)
  await proxy.close()
  expect(await talking).toEqual({ text: 'x', ended: true })
  expect(proxy.open).toBe(0)
})
