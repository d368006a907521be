/** One tab at a time (Web Locks), so that two that are opened at once don't embed everything twice. */

/** The part of `navigator.locks` that is used. */
export interface TabLocks {
  request<T>(name: string, options: { signal: AbortSignal }, work: () => Promise<T>): Promise<T>
}

/** The browser's. `null`: it has none; tabs then do the same work, and store the same. */
export function browserLocks(): TabLocks | null {
  const { navigator } = globalThis as { navigator?: { locks?: TabLocks } }
  return navigator?.locks ?? null
}
