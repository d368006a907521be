/**
 * Requests that offer to switch to something else than WebSocket, and are answered as if they hadn't: a server may ignore
 * the offer (RFC 9110 §7.8). Java's own client and others offer HTTP/2 (`h2c`) with every first request.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** What is about the offer and nothing else (RFC 7540 §3.2). */
const OF_THE_OFFER: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/** The one protocol that this engine switches to. Node gives any other as an upgrade, too. */
export function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return /^\s*websocket\s*$/i.test(headers.upgrade ?? '')
}

/** `Connection` names what is meant for this connection only; without its offers it may be empty. */
function withoutOffers(connection: string): string {
  const rest = connection.split(',').filter((option) => !OF_THE_OFFER.has(option.trim().toLowerCase()))
  return rest.join(',').trim()
}

/** The request's head as it was sent, without the offer. Header lines were read by the parser: none holds a line break. */
function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const header = name.toLowerCase()
    const kept = header === 'connection' ? withoutOffers(value) : value
    const isGone = OF_THE_OFFER.has(header) || (header === 'connection' && kept === '')
    if (!isGone) lines.push(`${name}: ${kept}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Whether an earlier request of the connection isn't answered yet: Node keeps its answer there. */
function isAnswering(socket: Duplex): boolean {
  return '_httpMessage' in socket && socket._httpMessage !== null
}

/**
 * Gives the connection back to the server, which reads the request once more, body and all that comes after it. Cuts one
 * on which an earlier answer is still under way: nobody may send on before a switch is answered, and answers would mix.
 */
export function answerWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
): void {
  if (isAnswering(socket)) {
    socket.destroy()
    return
  }
  socket.unshift(Buffer.concat([headWithoutOffer(request), head]))
  server.emit('connection', socket)
}
