/** Where the grant token is kept: the page's storage, or memory where that is blocked. Never throws. */

/** The part of `Storage` that is used; `localStorage` fits. */
export interface TokenStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Lives as long as the page. */
export function memoryStorage(): TokenStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value)
    },
    removeItem: (key) => {
      values.delete(key)
    },
  }
}

/**
 * The storage if it works, else memory. A storage that fails later is answered from memory too.
 * @param open reads the page's storage; reading it is what throws where it is blocked
 */
export function safeStorage(open: () => TokenStorage | null | undefined): TokenStorage {
  const memory = memoryStorage()
  const storage = attempt(open)
  if (storage == null) return memory
  return {
    getItem: (key) => attempt(() => storage.getItem(key)) ?? memory.getItem(key),
    setItem: (key, value) => {
      memory.removeItem(key)
      const stored = attempt(() => {
        storage.setItem(key, value)
        return true
      })
      if (stored === true) return
      // What is stored is older than what memory then holds.
      attempt(() => {
        storage.removeItem(key)
      })
      memory.setItem(key, value)
    },
    removeItem: (key) => {
      memory.removeItem(key)
      attempt(() => {
        storage.removeItem(key)
      })
    },
  }
}

/** `null`: it threw. */
function attempt<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}
