/**
 * Started by `waiting.test.ts`: a program that lives only for its waits. Changes a file whose lock another process
 * holds, then follows a log until its first line.
 *   waiting.fixture.ts <folder>
 */
import { join } from 'node:path'
import * as z from 'zod/mini'
import { nodeFs, openJsonFile, readLines, type StateFs } from './index.js'

const [folder = ''] = process.argv.slice(2)
let failedTries = 0
const fs: StateFs = {
  ...nodeFs,
  open: async (path, mode) => {
    try {
      return await nodeFs.open(path, mode)
    } catch (error) {
      if (mode === 'create') failedTries += 1
      // By then it has paused between tries, with nothing else to do.
      if (mode === 'create' && failedTries === 3) process.stdout.write('waiting\n')
      throw error
    }
  },
}
const schema = z.looseObject({ names: z.array(z.string()) })
const file = await openJsonFile({ path: join(folder, 'names.json'), schema, fs, empty: () => ({ names: [] }) })
await file.update(({ names }) => ({ names: [...names, 'child'] }))
await file.close()
process.stdout.write('changed\n')
for await (const line of readLines({ folder: join(folder, 'log'), follow: true })) {
  process.stdout.write(`read ${line}\n`)
  break
}
