/**
 * What the engine says of a session when its stream can't be trusted to have said everything:
 * after a reconnect in the middle of a turn, and when nothing has come for a while.
 */
import { type Clock, pause } from '@leuria/clock'
import type { LeuriaError } from '../errors.js'
import type { EngineHttp } from './engine-http.js'
import { isGone } from './event-stream.js'
import { readSessionStatus } from './read-session.js'

/** `status`: the engine's word (Sessions, Lifecycle). Neither: the engine couldn't be asked. */
export interface LookupResult {
  status?: string
  /** No attempt to reach the session can succeed any more. */
  gone?: LeuriaError
}

/** @param path `/session/<id>` */
export async function lookUpSession({ http, path }: { http: EngineHttp; path: string }): Promise<LookupResult> {
  try {
    return { status: readSessionStatus(await http.request(path)) }
  } catch (error) {
    return isGone(error) ? { gone: error } : {}
  }
}

/**
 * A quiet time is waited for in slices: after a page was held up, one timer may come before what has long arrived,
 * not so many.
 */
const QUIET_SLICES = 5

export interface QuietOptions {
  clock: Clock
  quietMs: number
  /** What the engine has said so far. */
  eventCount: () => number
  isCurrent: () => boolean
}

/** Resolves once nothing has happened for `quietMs`. False: `isCurrent` no longer held. */
export async function untilQuiet({ clock, quietMs, eventCount, isCurrent }: QuietOptions): Promise<boolean> {
  let since = eventCount()
  for (let slices = 0; slices < QUIET_SLICES;) {
    await pause(clock, quietMs / QUIET_SLICES)
    if (!isCurrent()) return false
    slices = eventCount() === since ? slices + 1 : 0
    since = eventCount()
  }
  return true
}
