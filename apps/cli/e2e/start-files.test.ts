/** What the built program loads before it listens: a start waits for every file and every library in it. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const DIST = new URL('../dist/', import.meta.url)

/** The text of a file and of all that it imports at once, by name. */
async function filesOf(name: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  if (found.has(name)) return found
  const text = await readFile(fileURLToPath(new URL(name, DIST)), 'utf8')
  found.set(name, text)
  for (const [, imported = ''] of text.matchAll(/^(?:import|export|\}) ?(?:[^'"]*from )?["']\.\/([^"']+)["']/gm))
    await filesOf(imported, found)
  return found
}

it('loads two files and no schema library', async () => {
  const files = await filesOf('leuria.js')
  expect(files.size).toBe(2)
  const text = [...files.values()].join('')
  expect(text).toContain('packages/engine/src/engine.ts')
  expect(text).not.toContain('/zod/')
  // Streams come along with `node:fs` when it is imported, and a dozen files with `node:crypto`.
  expect(text).not.toMatch(/from ["'](node:)?(crypto|fs)["']/)
})
