/**
 * Counts every use of the file system by this process, whoever makes it: asynchronous ones by Node's own bookkeeping
 * of resources, synchronous ones by standing in for the functions of `node:fs`.
 */
import { createHook } from 'node:async_hooks'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** What Node calls its file requests, open files and watchers (async_hooks, "type"). */
const FILE_RESOURCE = /^(FS|FILEHANDLE|STATWATCHER)/

export interface FileAccess {
  /** What was used since the last look, in order. */
  seen(): string[]
  /** Puts everything back. */
  stop(): void
}

type AnyFunction = (...args: unknown[]) => unknown

/** Replaces the `…Sync` functions; an ESM import of them sees the replacement, too. */
function watchSync(note: (name: string) => void): () => void {
  const table = fs as unknown as Record<string, AnyFunction>
  const originals = Object.entries(table).filter(
    ([name, value]) => name.endsWith('Sync') && typeof value === 'function',
  )
  for (const [name, original] of originals) {
    table[name] = function (this: unknown, ...args) {
      note(name)
      return original.apply(this, args)
    }
  }
  syncBuiltinESMExports()
  return () => {
    for (const [name, original] of originals) table[name] = original
    syncBuiltinESMExports()
  }
}

export function watchFileAccess(): FileAccess {
  let names: string[] = []
  const restore = watchSync((name) => names.push(name))
  const hook = createHook({
    init(_id, type) {
      if (FILE_RESOURCE.test(type)) names.push(type)
    },
  }).enable()
  return {
    seen() {
      const found = names
      names = []
      return found
    },
    stop() {
      hook.disable()
      restore()
    },
  }
}
