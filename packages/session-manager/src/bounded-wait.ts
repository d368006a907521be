/** Waiting for work with two ways out: a limit and a signal. Leaves no timer and no listener behind. */
import type { Clock } from '@leuria/clock'

export interface WaitOptions {
  clock: Clock
  limitMs: number
  signal?: AbortSignal
}

export type WaitOutcome<T> = { kind: 'done'; value: T } | { kind: 'late' } | { kind: 'aborted' }

/** Resolves with whatever comes first; rejects as `work` does. The work itself goes on: a late failure is swallowed. */
export function waitFor<T>(work: Promise<T>, { clock, limitMs, signal }: WaitOptions): Promise<WaitOutcome<T>> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      cancelTimer()
      signal?.removeEventListener('abort', aborted)
      settle()
    }
    const aborted = (): void => finish(() => resolve({ kind: 'aborted' }))
    const cancelTimer = clock.setTimer(limitMs, () => finish(() => resolve({ kind: 'late' })))
    signal?.addEventListener('abort', aborted)
    work.then(
      (value) => finish(() => resolve({ kind: 'done', value })),
      (error: unknown) => finish(() => reject(error instanceof Error ? error : new Error(String(error)))),
    )
    if (signal?.aborted === true) aborted()
  })
}
