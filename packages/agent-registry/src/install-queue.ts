/** One installation at a time; those who ask for the same one share it, and it ends early only when all have left. */
import { checkCancelled, RegistryError } from './registry-error.js'
import type { InstallProgress, OnProgress } from './progress.js'

interface Job<T> {
  readonly result: Promise<T>
  readonly abort: AbortController
  readonly listeners: Set<OnProgress>
  waiting: number
}

export type Work<T> = (signal: AbortSignal, onProgress: OnProgress) => Promise<T>

export interface Waiter {
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface InstallQueue<T> {
  /** Joins the job of that name, or lines one up. @throws what the work throws, or `cancelled` */
  run(name: string, waiter: Waiter, work: Work<T>): Promise<T>
  /** Calls everything off and waits for its end. */
  close(): Promise<void>
}

export function installQueue<T>(): InstallQueue<T> {
  const jobs = new Map<string, Job<T>>()
  let last: Promise<unknown> = Promise.resolve()
  const lineUp = (name: string, work: Work<T>): Job<T> => {
    const abort = new AbortController()
    const listeners = new Set<OnProgress>()
    const tell = (progress: InstallProgress): void => {
      for (const listener of listeners) listener(progress)
    }
    const before = last
    const result = before.then(() => {
      checkCancelled(abort.signal)
      return work(abort.signal, tell)
    })
    last = result.catch(() => undefined)
    const job: Job<T> = { result, abort, listeners, waiting: 0 }
    jobs.set(name, job)
    const forget = (): void => {
      if (jobs.get(name) === job) jobs.delete(name)
    }
    result.then(forget, forget)
    return job
  }
  return {
    run: async (name, waiter, work) => {
      if (waiter.signal) checkCancelled(waiter.signal)
      const isBusy = jobs.size > 0
      const known = jobs.get(name)
      const job = known === undefined || known.abort.signal.aborted ? lineUp(name, work) : known
      if (isBusy) waiter.onProgress?.({ stage: 'waiting', message: 'Waiting for another installation' })
      return join(job, waiter)
    },
    close: async () => {
      for (const job of jobs.values()) job.abort.abort()
      await last
    },
  }
}

function join<T>(job: Job<T>, { onProgress, signal }: Waiter): Promise<T> {
  job.waiting += 1
  if (onProgress) job.listeners.add(onProgress)
  return new Promise<T>((resolve, reject) => {
    const leave = (): void => {
      if (onProgress) job.listeners.delete(onProgress)
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      leave()
      job.waiting -= 1
      if (job.waiting > 0) reject(new RegistryError('cancelled', 'The installation was called off.'))
      // The last one stays until everything is cleared away.
      else job.abort.abort()
    }
    signal?.addEventListener('abort', giveUp)
    job.result.then(resolve, reject).finally(leave)
  })
}
