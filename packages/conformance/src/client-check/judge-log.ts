/** What the log of the kit's engine says of a client. Pure: each throws ClauseBroken with what was seen, or returns. */
import type { EngineLog, LoggedRequest } from '../fake-engine/engine-log.js'
import { holds } from '../report/observe.js'

function sessionOf({ path }: LoggedRequest): string {
  return path.split('/')[2] ?? ''
}

/** Every request but claims carries a token; claims come before there is one. */
export function judgeToken(log: EngineLog): void {
  for (const { method, path, token } of log.requests())
    holds(token !== undefined || path === '/connect/claim', `${method} ${path} came without the token`)
}

/** Each session's stream was asked for before its approve. */
export function judgeStreamFirst(log: EngineLog): void {
  const approves = log.requests(/approve$/)
  holds(approves.length > 0, 'no session was approved')
  for (const approve of approves) {
    const stream = log.requests(/^GET .*\/stream$/).find((request) => sessionOf(request) === sessionOf(approve))
    holds(stream !== undefined, 'no stream was opened')
    holds(log.entries.indexOf(stream) < log.entries.indexOf(approve), 'approve came before the stream')
  }
}

/** Each session's tools were declared before its first turn. */
export function judgeToolsFirst(log: EngineLog): void {
  const sessions = new Set(log.requests(/approve$/).map(sessionOf))
  for (const session of sessions) {
    const declared = log.messages('registerTool').find((message) => message.session === session)
    holds(declared !== undefined, 'a session has no tools')
    const turn = log.entries.find(
      (entry) => entry.kind === 'event' && entry.session === session && entry.event === 'turn_start',
    )
    holds(
      turn === undefined || log.entries.indexOf(declared) < log.entries.indexOf(turn),
      'the first turn began before the tools were declared',
    )
  }
}
