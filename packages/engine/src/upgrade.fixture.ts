/** Asks for a WebSocket with exactly the headers a test names: a real client would add or correct some. */
import { connect } from 'node:net'

export interface UpgradeCall {
  origin?: string
  /** @default the engine's own */
  host?: string
  headers?: readonly (readonly [string, string])[]
}

export interface UpgradeAnswer {
  /** 101 when it was let in; 0 when the connection was cut without an answer. */
  status: number
  /** Everything that came, as it came. */
  text: string
}

/** Resolves with the answer's head and body; an upgrade that succeeds is dropped again. */
export function askUpgrade(port: number, path: string, call: UpgradeCall = {}): Promise<UpgradeAnswer> {
  const { origin, host = `127.0.0.1:${port}`, headers = [] } = call
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      text += chunk.toString()
      if (text.startsWith('HTTP/1.1 101 ')) socket.destroy()
    })
    socket.on('close', () => {
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), text })
    })
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  })
}
