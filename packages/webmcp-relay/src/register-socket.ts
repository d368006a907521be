/**
 * The register door: a page trades its one-time registration token for its channel's address and token.
 * Several tries on one socket are fine, but not without end; a socket that says nothing is closed.
 */
import type { CancelTimer, Clock } from '@leuria/clock'
import { readRegistrationToken, registerMessage, type RegisterReply } from '@leuria/protocol'
import type { RawData, WebSocket } from 'ws'
import * as z from 'zod/mini'
import { CLOSE, closeSocket } from './close-code.js'
import { readFrame } from './frame.js'
import { MAX_REGISTER_FRAME_LENGTH, type RelayLimits } from './relay-limits.js'

export interface RegisterSocketOptions {
  clock: Clock
  limits: RelayLimits
  /** Uses up the token. `null`: unknown, used, or another origin's; which of them isn't told. */
  register: (token: string) => { channel: string; token: string } | null
  /** The socket is gone. Called once. */
  ended(): void
}

const REFUSED = 'This registration token is not valid. It may have been used already.'

/** Serves a register socket until it closes. Returns a way to close it. */
export function serveRegisterSocket(
  socket: WebSocket,
  options: RegisterSocketOptions,
): (code: number, reason: string) => void {
  const { clock, limits } = options
  let attempts = 0
  let cancelTimer: CancelTimer = () => undefined
  let shut = false

  const close = (code: number, reason: string): void => {
    if (shut) return
    shut = true
    cancelTimer()
    closeSocket(socket, code, reason)
    if (socket.readyState !== socket.CLOSED)
      cancelTimer = clock.setTimer(limits.closeGraceMs, () => {
        socket.terminate()
      })
  }
  const restartTimer = (): void => {
    cancelTimer()
    cancelTimer = clock.setTimer(limits.registerIdleMs, () => {
      close(CLOSE.policy, 'Nothing was registered in time.')
    })
  }

  restartTimer()
  socket.on('message', (data, isBinary) => {
    if (shut) return
    attempts += 1
    const reply = answerRegister(data, isBinary, options)
    socket.send(JSON.stringify(reply))
    if (attempts >= limits.maxRegisterAttempts) close(CLOSE.policy, 'Too many tries.')
    else restartTimer()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    shut = true
    cancelTimer()
    options.ended()
  })
  return close
}

function answerRegister(data: RawData, isBinary: boolean, { register }: RegisterSocketOptions): RegisterReply {
  const failure = (message: string): RegisterReply => ({ type: 'error', message })
  if (Buffer.isBuffer(data) && data.length > MAX_REGISTER_FRAME_LENGTH) return failure('This message is too large.')
  const frame = readFrame(data, isBinary)
  if (!frame.ok) return failure(frame.error)
  const message = z.safeParse(registerMessage, frame.value)
  if (!message.success) return failure('Send { "type": "register", "token": "<registrationToken>" }.')
  const token = readRegistrationToken(message.data.token)
  const registered = token === null ? null : register(token)
  return registered === null ? failure(REFUSED) : { type: 'registerSuccess', ...registered }
}
