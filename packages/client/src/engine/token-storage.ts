/** Where the grant token is kept: the page's storage, or memory where that is blocked. Never throws. */

/** The part of `Storage` that is used; `localStorage` fits. */
export interface TokenStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/**
 * The storage if it works, else memory that lives as long as the page. A storage that fails later is answered from memory too.
 * @param open reads the page's storage; reading it is what throws where it is blocked
 */
export function safeStorage(open: () => TokenStorage | null | undefined): TokenStorage {
  const memory = new Map<string, string>()
  const storage = attempt(open)
  /** `null`: there is none, or it failed. */
  const use = <T>(call: (storage: TokenStorage) => T): T | null => attempt(() => (storage ? call(storage) : null))
  const removeItem = (key: string): void => {
    memory.delete(key)
    use((each) => {
      each.removeItem(key)
    })
  }
  return {
    getItem: (key) => use((each) => each.getItem(key)) ?? memory.get(key) ?? null,
    setItem: (key, value) => {
      const isStored = use((each) => {
        each.setItem(key, value)
        return true
      })
      if (isStored) memory.delete(key)
      else {
        // What is stored is older than what memory then holds.
        removeItem(key)
        memory.set(key, value)
      }
    },
    removeItem,
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
