/** Waiting with an end: a promise raced against a clock, and a pause that can be called off. */
import type { Clock } from './clock.js'

/** Thrown by `withDeadline` when the time is over before the work is. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  constructor(readonly limitMs: number) {
    super(`Nothing happened within ${limitMs} ms.`)
  }
}

/**
 * Settles as `work` does, or rejects with `DeadlineError` after `limitMs`.
 * The work itself goes on: whoever started it must stop it (an AbortSignal, a kill). Its late failure is swallowed.
 */
export function withDeadline<T>(clock: Clock, limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(limitMs, () => {
      reject(new DeadlineError(limitMs))
    })
    work.then(resolve, reject).finally(cancel)
  })
}

/** Resolves after `delayMs`, or at once when `signal` aborts (then also without an error: look at the signal). */
export function pause(clock: Clock, delayMs: number, signal?: AbortSignalLike): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve()
      return
    }
    const finish = (): void => {
      cancel()
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.setTimer(delayMs, finish)
    signal?.addEventListener('abort', finish)
  })
}

/** The part of `AbortSignal` that `pause` needs; browsers' and Node's both fit. */
export interface AbortSignalLike {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}
