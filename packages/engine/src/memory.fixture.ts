/** How much memory is really held: after a full collection, so that garbage doesn't count. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Heap and buffers, in bytes. */
export function heldBytes(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** For people: whole and tenth megabytes. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 102.4) / 10
}
