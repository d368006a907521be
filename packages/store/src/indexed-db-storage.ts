/** Keeps vectors in the browser's IndexedDB, so that the next visit embeds only what changed. */
import type { StoredVector, VectorSet, VectorStorage } from './storage.js'

export interface IndexedDbStorageOptions {
  /** Of the database. @default 'leuria-store' */
  name?: string
  /** @default the browser's */
  indexedDB?: IDBFactory
}

const STORE = 'vectors'

interface Row extends StoredVector, VectorSet {}

/** Nothing is opened before the first use. What the browser refuses (private windows, a full disk) rejects. */
export function indexedDbStorage({ name = 'leuria-store', ...options }: IndexedDbStorageOptions = {}): VectorStorage {
  let opened: Promise<IDBDatabase> | null = null

  const open = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(options.indexedDB ?? globalThis.indexedDB, name, () => {
      opened = null
    }).catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }

  const run = async <T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T> | null,
  ): Promise<T> => {
    const transaction = (await open()).transaction(STORE, mode)
    return new Promise((resolve, reject) => {
      const request = work(transaction.objectStore(STORE))
      transaction.oncomplete = () => {
        resolve(request?.result as T)
      }
      transaction.onabort = () => {
        reject(transaction.error ?? new Error('The browser stopped storing.'))
      }
    })
  }

  return {
    load: async (set) => {
      const rows = await run<Row[]>('readonly', (store) => store.getAll(rangeOf(set)))
      return rows.map(({ id, hash, vector }) => ({ id, hash, vector }))
    },
    put: (set, vectors) =>
      run('readwrite', (store) => {
        for (const { id, hash, vector } of vectors) store.put({ ...set, id, hash, vector } satisfies Row)
        return null
      }),
    remove: (set, ids) =>
      run('readwrite', (store) => {
        for (const id of ids) store.delete([set.index, set.model, id])
        return null
      }),
  }
}

/** All ids of a set: an array is greater than any text. */
function rangeOf({ index, model }: VectorSet): IDBKeyRange {
  return IDBKeyRange.bound([index, model], [index, model, []])
}

/** @param onGone another tab wants a newer version, or the browser closed it: the next use opens it anew */
function openDatabase(factory: IDBFactory, name: string, onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: ['index', 'model', 'id'] })
    }
    request.onsuccess = () => {
      const database = request.result
      database.onclose = onGone
      database.onversionchange = () => {
        database.close()
        onGone()
      }
      resolve(database)
    }
    request.onerror = () => {
      reject(request.error ?? new Error('IndexedDB is not available.'))
    }
    request.onblocked = () => {
      reject(new Error('Another tab keeps an old version of the storage open.'))
    }
  })
}
