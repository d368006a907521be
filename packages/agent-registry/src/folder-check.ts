/** Looks through what an installer left: nothing in it may lead out, whoever made it. */
import { readdir, realpath } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { isInside } from './contained-path.js'
import { RegistryError } from './registry-error.js'

/** A virtual environment's own: links to the Python it was made from. */
const PYTHON_LINK = /^venv[/\\]bin[/\\]python[0-9.]*$/

/** @throws RegistryError `bad_package` for a link out of the folder or to nowhere, or for a device, pipe or socket */
export async function checkFolder(folder: string): Promise<void> {
  const root = await realpath(folder)
  const waiting = [root]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isSymbolicLink()) await checkLink(root, path)
      else if (!entry.isFile()) throw bad(root, path, 'is no file')
    }
}

async function checkLink(root: string, path: string): Promise<void> {
  const target = await realpath(path).catch(() => null)
  if (target !== null && isInside(root, target)) return
  if (target !== null && PYTHON_LINK.test(relative(root, path)) && basename(target).startsWith('python')) return
  throw bad(root, path, 'links out of its folder')
}

function bad(root: string, path: string, what: string): RegistryError {
  return new RegistryError('bad_package', `The AI was not installed: "${relative(root, path)}" ${what}.`)
}
