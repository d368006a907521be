/** How a fake engine behaves, and what goes wrong with it. Both may be changed at any time. */

export interface FakeEngineSwitches {
  /** Answers only sites that a grant or a link names, as the desktop app's engine. */
  silent: boolean
  /** Events carry ids, and `?lastEventId=` is honoured. */
  ids: boolean
  /** A new stream to an idle session repeats the last turn's chunks after `ready`, as one engine in use does. */
  replayLastTurn: boolean
  /** A new stream to an idle session also repeats the last turn's `turn_completed`. */
  replayCompletion: boolean
  /** Events, messages and fields that nobody has heard of are mixed in. */
  extras: boolean
  /** How events reach the wire: a write each, byte by byte, or everything of a tick in one write. */
  delivery: 'plain' | 'bytewise' | 'coalesced'
  /** Declarations are acknowledged. */
  acks: boolean
  /** Calls still open when a channel comes back are sent again, with the same id. */
  resendCalls: boolean
  /** How long a claim is held. */
  claimWaitMs: number
}

export const FAKE_ENGINE_SWITCHES: Readonly<FakeEngineSwitches> = {
  silent: false,
  ids: false,
  replayLastTurn: false,
  replayCompletion: false,
  extras: false,
  delivery: 'plain',
  acks: true,
  resendCalls: true,
  claimWaitMs: 25_000,
}

/** A stream that doesn't come from a session: these bytes, then the connection drops or stays open. */
export interface RawStream {
  text: string
  then: 'drop' | 'hold'
}

/** Each fault is used up by the next request it fits. */
export interface FakeEngineFaults {
  /** The next streams are cut after so many bytes. */
  cutStreams: number[]
  /** So many stream requests find a connection that drops without an answer. */
  refuseStreams: number
  /** The next streams are these instead of the session's. */
  rawStreams: RawStream[]
  /** So many channel sockets are refused. */
  refuseChannels: number
  /** The next requests to these `METHOD /path` patterns get this answer instead. A status of 0 drops the connection. */
  answers: { request: RegExp; status: number; body?: unknown }[]
  /** The next requests that fit are held until the test lets them go. */
  holds: { request: RegExp; until: Promise<void> }[]
}

export function noFaults(): FakeEngineFaults {
  return { cutStreams: [], refuseStreams: 0, rawStreams: [], refuseChannels: 0, answers: [], holds: [] }
}
