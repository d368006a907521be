/**
 * One program for each home: the first listens on a socket that only its user can reach, later ones hand it what they
 * were started with and end. Survives a kill: `instance-file.ts` decides, a socket that was left is only a file.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openFolder } from '@leuria/state'
import { type Claim, type InstanceFile, openInstanceFile } from './instance-file.js'
import { DONE, type InstanceMessage, MAX_MESSAGE_CHARS, readMessage } from './message.js'

/** The system's own limit is 108 bytes on Linux and 104 on macOS, the closing zero included. */
const MAX_SOCKET_PATH = 100
/**
 * The first may be just starting, on a computer that is busy with that; one that isn't listening after this is another
 * program with its process id. Too short, and two programs hold one home.
 */
const PATIENCE_MS = 10_000
const RETRY_MS = 50
/** The program takes a message at once, or, where a computer is very busy, some seconds later; else it hangs. */
const ANSWER_LIMIT_MS = 10_000
/** Later starts are short visits: longer than they wait for an answer nobody needs to stay. */
const VISIT_LIMIT_MS = 20_000

export type Instance =
  /** This process is the program. */
  | { kind: 'first'; listen(take: (message: InstanceMessage) => void): Promise<void>; close(): Promise<void> }
  /** Another one is, and has taken the message. */
  | { kind: 'handed_over' }
  /** Another one is, and doesn't answer. */
  | { kind: 'no_answer'; pid: number }

export interface InstanceOptions {
  home: string
  /** For the program that runs, if there is one. */
  message: InstanceMessage
  log: (line: string) => void
}

/** A socket in the home; where its path would be too long, in a private folder of its own. */
async function socketPath(home: string): Promise<string> {
  const path = join(home, 'desktop.sock')
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path
  return join(await mkdtemp(join(tmpdir(), 'leuria-')), 'desktop.sock')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

type Handed = 'done' | 'nobody' | 'no_answer'

function handOver(path: string, message: InstanceMessage): Promise<Handed> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const end = (how: Handed): void => {
      clearTimeout(limit)
      socket.destroy()
      resolve(how)
    }
    const limit = setTimeout(() => {
      end('no_answer')
    }, ANSWER_LIMIT_MS)
    // Whoever has let us in is there, whatever becomes of the message.
    let failed: Handed = 'nobody'
    socket.on('connect', () => {
      failed = 'no_answer'
      socket.write(`${JSON.stringify(message)}\n`)
    })
    socket.on('data', () => {
      end('done')
    })
    for (const event of ['error', 'close'] as const)
      socket.on(event, () => {
        end(failed)
      })
  })
}

/** Until the holder has taken it, or is known not to be there. */
async function visit({ socket, holder }: Claim, message: InstanceMessage): Promise<Handed> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const handed = socket === '' ? 'nobody' : await handOver(socket, message)
    if (handed !== 'nobody' || Date.now() >= until || holder.pid === process.pid) return handed
    await pause(RETRY_MS)
  }
}

/** Reads one message from a later start; what comes behind it is nobody's. */
function serve(socket: Socket, take: (message: InstanceMessage) => void): void {
  let text = ''
  // Of the whole visit: a byte now and then makes it no longer.
  const limit = setTimeout(() => socket.destroy(), VISIT_LIMIT_MS)
  socket
    .on('error', () => undefined)
    .on('close', () => {
      clearTimeout(limit)
    })
  const read = (piece: string): void => {
    text += piece
    const end = text.indexOf('\n')
    if (end === -1 && text.length > MAX_MESSAGE_CHARS) socket.destroy()
    if (end === -1) return
    socket.off('data', read).resume()
    const message = readMessage(text.slice(0, end))
    if (message === null) {
      socket.destroy()
      return
    }
    take(message)
    socket.end(DONE)
  }
  socket.setEncoding('utf8').on('data', read)
}

interface Listening {
  server: Server
  /** Whoever is in right now. */
  visits: ReadonlySet<Socket>
}

async function listenOn(path: string, take: (message: InstanceMessage) => void): Promise<Listening> {
  // Its last owner is gone: this process holds the home.
  await rm(path, { force: true })
  const visits = new Set<Socket>()
  const server = createServer((socket) => {
    visits.add(socket)
    socket.on('close', () => visits.delete(socket))
    serve(socket, take)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve)
  })
  await chmod(path, 0o600)
  return { server, visits }
}

/** Nobody who is in may keep it open; an answer that is on its way still arrives. */
function stopListening({ server, visits }: Listening): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    for (const visit of visits) visit.destroySoon()
  })
}

function firstInstance(file: InstanceFile, path: string, home: string): Instance {
  let listening: Listening | undefined
  return {
    kind: 'first',
    async listen(take) {
      listening = await listenOn(path, take)
    },
    async close() {
      if (listening !== undefined) {
        await stopListening(listening)
        await rm(path, { force: true })
      }
      if (dirname(path) !== home) await rm(dirname(path), { recursive: true, force: true })
      await file.close()
    },
  }
}

/** Becomes the program of this home, or hands the message to the one that is. @throws StateError when the home can't be used */
export async function claimInstance({ home, message, log }: InstanceOptions): Promise<Instance> {
  await openFolder(home, { log })
  const file = await openInstanceFile(home, log)
  const path = await socketPath(home)
  let claim = await file.claim(path)
  if (!claim.first) {
    const handed = await visit(claim, message)
    if (handed === 'nobody') claim = await file.claim(path, claim.holder)
    if (!claim.first) {
      await file.close()
      if (dirname(path) !== home) await rm(dirname(path), { recursive: true, force: true })
      return handed === 'done' ? { kind: 'handed_over' } : { kind: 'no_answer', pid: claim.holder.pid }
    }
  }
  return firstInstance(file, path, home)
}
