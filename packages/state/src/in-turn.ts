/** One at a time per name, inside this process: contenders of one process never meet at the lock file. */

const last = new Map<string, Promise<unknown>>()

/** Runs `work` after everything that was queued under `name` before it, whether that failed or not. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve()
  const turn = before.then(work, work)
  const settled = turn.catch(() => undefined)
  last.set(name, settled)
  try {
    return await turn
  } finally {
    if (last.get(name) === settled) last.delete(name)
  }
}
