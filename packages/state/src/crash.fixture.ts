/** Started by `json-faults.test.ts`: writes once, then kills itself with SIGKILL right before a step of the next write. */
import * as z from 'zod/mini'
import { nodeFs, openJsonFile, type StateFs } from './index.js'

const [path = '', step = ''] = process.argv.slice(2)
let isArmed = false

function dieBefore(name: string): void {
  if (isArmed && name === step) process.kill(process.pid, 'SIGKILL')
}

const fs: StateFs = {
  ...nodeFs,
  open: async (name, mode) => {
    if (!name.endsWith('.tmp')) return nodeFs.open(name, mode)
    dieBefore('create')
    const file = await nodeFs.open(name, mode)
    return {
      ...file,
      write: async (data) => {
        await file.write(data.subarray(0, 4))
        dieBefore('write')
        return 4
      },
      sync: async () => {
        dieBefore('sync')
        await file.sync()
      },
    }
  },
  rename: async (from, to) => {
    dieBefore('rename')
    await nodeFs.rename(from, to)
  },
  syncFolder: async (folder) => {
    dieBefore('syncFolder')
    await nodeFs.syncFolder(folder)
  },
}

const schema = z.looseObject({ version: z._default(z.number(), 1), ids: z.array(z.string()) })
const file = await openJsonFile({ path, schema, fs, empty: () => ({ version: 1, ids: [] }) })
await file.update((value) => ({ ...value, ids: ['first'] }))
isArmed = true
await file.update((value) => ({ ...value, ids: [...value.ids, 'second'] }))
