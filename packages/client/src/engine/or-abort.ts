/** Waiting that the caller can give up. */
import { stopped } from '../errors.js'

/**
 * Follows `work`, or rejects with AbortError as soon as `signal` aborts. The work itself goes on;
 * `onAbort` tidies up behind it once it has succeeded.
 */
export function orAbort<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  onAbort: (value: T) => void = () => undefined,
): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(stopped(signal))
      work.then(onAbort, () => undefined)
    }
    if (signal.aborted) {
      abort()
      return
    }
    signal.addEventListener('abort', abort)
    work
      .finally(() => {
        signal.removeEventListener('abort', abort)
      })
      .then(resolve, reject)
  })
}
