/** An agent of the visitor's own for tests: a program that follows a script, and the command line that starts it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AcpScript } from '@leuria/testing'
import { buildSync } from 'esbuild'

/** Puts it into `folder`, which its box has to show. */
export async function makeOwnAgent(folder: string, script: AcpScript): Promise<string> {
  const program = join(folder, 'scripted.mjs')
  buildSync({
    entryPoints: [fileURLToPath(import.meta.resolve('@leuria/testing/acp-agent-program'))],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  await writeFile(join(folder, 'script.json'), JSON.stringify(script))
  return `node ${program} ${join(folder, 'script.json')}`
}
