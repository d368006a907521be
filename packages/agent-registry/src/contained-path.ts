/** Paths that others wrote (registries, archives, manifests) and that must stay inside a folder. Pure. */
import { isAbsolute, posix, relative, sep } from 'node:path'

/**
 * A relative path in normal form with `/`, or null when it leads out of its folder, is absolute on any system, or holds
 * what no path should. Backslashes count as separators, as they do for those who unpack on Windows.
 */
export function containedPath(path: string): string | null {
  if (path === '' || /[\0-\x1f]/.test(path)) return null
  const slashed = path.replaceAll('\\', '/')
  if (slashed.startsWith('/') || /^[A-Za-z]:/.test(slashed)) return null
  const clean = posix.normalize(slashed).replace(/\/$/, '')
  return clean === '..' || clean.startsWith('../') ? null : clean
}

/** Where a link in the folder leads, by its text alone; null: out. `from`: the link's own path. */
export function containedLink(from: string, target: string): string | null {
  const slashed = target.replaceAll('\\', '/')
  if (slashed.startsWith('/') || /^[A-Za-z]:/.test(slashed)) return null
  return containedPath(posix.join(posix.dirname(from), slashed))
}

/** True when the absolute `path` is `folder` or in it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
