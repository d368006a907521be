/** What a box shows of the machine, and the command that runs inside. The input of every kind of box. */
import { join, relative, sep } from 'node:path'
import type { ShownPath } from './sign-in-places.js'

export interface BoxView {
  /** Absolute; seen read-only at the same path. */
  readonly readable: readonly string[]
  /** Absolute; the session's own folder, writable at the same path. */
  readonly writable: readonly string[]
  /** Writable, at another path than outside. */
  readonly shown: readonly ShownPath[]
  /** The working folder. */
  readonly cwd: string
  /** Files to stand in for the machine's own lists of users and groups. */
  readonly users: { readonly passwd: string; readonly group: string }
}

/** A program and its arguments. */
export interface Command {
  readonly command: string
  readonly args: readonly string[]
}

/** Puts a command into a box. */
export type WrapCommand = (command: Command, view: BoxView) => Command

/** True when `path` is `folder` or in it. Both absolute and normal. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && join(folder, way) === path)
}
