import { createServer, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Door } from './door.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

/** A server behind a door, and how many requests and upgrades have come to it. */
async function stage() {
  const door = new Door()
  let came = 0
  const server = createServer((incoming, response) => {
    came += 1
    door.onRequest(incoming, response)
  })
  server.on('upgrade', (incoming, socket, head) => {
    came += 1
    door.onUpgrade(incoming, socket, head)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const { port } = server.address() as AddressInfo
  const arrived = async (count: number): Promise<void> => {
    while (came < count) await new Promise((resolve) => setImmediate(resolve))
  }
  return { door, port, arrived }
}

/** `null`: it was cut. */
function ask(port: number, path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path }, (answer) => {
      let text = ''
      answer
        .on('data', (part: Buffer) => (text += part.toString()))
        .on('end', () => {
          resolve(text)
        })
    })
    outgoing.on('error', () => {
      resolve(null)
    })
    outgoing.end()
  })
}

function upgrade(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' }
    const outgoing = request({ host: '127.0.0.1', port, headers })
    outgoing.on('upgrade', (_answer, socket) => {
      resolve(socket)
    })
    outgoing.on('error', () => {
      resolve(null)
    })
    outgoing.end()
  })
}

const echo = {
  onRequest: (incoming: { url?: string | undefined }, response: { end(text: string): unknown }) => {
    response.end(incoming.url ?? '')
  },
  onUpgrade: (_request: unknown, socket: { end(text: string): unknown }) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n')
  },
}

describe('what comes before everything is loaded', () => {
  it('waits, and is answered then; later ones go straight on', async () => {
    const { door, port, arrived } = await stage()
    const early = [ask(port, '/one'), upgrade(port)] as const
    await arrived(2)
    door.open(echo)
    expect(await early[0]).toBe('/one')
    expect(await early[1]).not.toBeNull()
    expect(await ask(port, '/two')).toBe('/two')
  })

  it('is cut when the start fails', async () => {
    const { door, port, arrived } = await stage()
    const early = [ask(port, '/one'), upgrade(port)] as const
    await arrived(2)
    door.open(null)
    expect(await Promise.all(early)).toEqual([null, null])
  })
})
