/**
 * Registers this program for `leuria:` links with the desktop (Linux: a desktop entry and the user's `mimeapps.list`, XDG
 * MIME Applications 1.0.1). Writes two files of the user's and nothing else; what else stands in them stays.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

export const ENTRY = 'leuria-desktop.desktop'
const SCHEME = 'x-scheme-handler/leuria'
const DEFAULTS = '[Default Applications]'

export interface Program {
  /** The runtime, absolute. */
  node: string
  /** This program's file, absolute. */
  file: string
  env: NodeJS.ProcessEnv
}

function folders(env: NodeJS.ProcessEnv): { data: string; config: string } {
  const home = env.HOME ?? homedir()
  const of = (variable: string, otherwise: string): string => {
    const set = env[variable]
    // Relative paths are invalid there and ignored (XDG Base Directory 0.8).
    return set?.startsWith('/') === true ? set : join(home, otherwise)
  }
  return { data: of('XDG_DATA_HOME', '.local/share'), config: of('XDG_CONFIG_HOME', '.config') }
}

/** What needs no quotes: `xdg-open` alone, without a desktop, understands none. */
const PLAIN = /^[\w./:=@+,-]+$/

/** An argument of `Exec` (Desktop Entry Specification 1.5): quoted where it has to be, and `%` doubled. */
function quote(text: string): string {
  if (PLAIN.test(text)) return text
  const inside = text.replace(/["`$\\]/g, '\\$&').replace(/%/g, '%%')
  return `"${inside.replace(/\\/g, '\\\\')}"`
}

export function desktopEntry({ node, file, env }: Program): string {
  const home = env.LEURIA_HOME
  // `env` keeps a home that isn't the usual one.
  const prefix = home === undefined || home === '' ? '' : `env ${quote(`LEURIA_HOME=${home}`)} `
  const command = `${prefix}${quote(node)} ${quote(file)}`
  return `[Desktop Entry]
Type=Application
Name=Leuria
Comment=Lets websites use your own AI, after you allow it
Exec=${command} %u
Terminal=false
StartupNotify=false
Categories=Utility;
MimeType=${SCHEME};
Actions=quit;

[Desktop Action quit]
Name=Quit Leuria
Exec=${command} --quit
`
}

/** `mimeapps.list` with this program as the default for the links, or without it. Pure. */
export function withDefault(text: string, entry: string | null): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const kept = lines.filter((line) => !(line.trim().startsWith(`${SCHEME}=`) && isOurs(line, entry !== null)))
  if (entry === null) return kept.length === 0 ? '' : `${kept.join('\n')}\n`
  const at = kept.findIndex((line) => line.trim() === DEFAULTS)
  const line = `${SCHEME}=${entry};`
  if (at === -1) return [...kept, DEFAULTS, line, ''].join('\n')
  return [...kept.slice(0, at + 1), line, ...kept.slice(at + 1), ''].join('\n')
}

/** Registering replaces whoever was the default; unregistering takes only ourselves out. */
function isOurs(line: string, replace: boolean): boolean {
  return replace || line.includes(ENTRY)
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const aside = `${path}.${process.pid}.tmp`
  await writeFile(aside, text)
  await rename(aside, path)
}

async function readOr(path: string, otherwise: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise
    throw error
  }
}

/** The files that were written. @throws the system's error when one can't be */
export async function registerHandler(program: Program): Promise<string[]> {
  const { data, config } = folders(program.env)
  const entry = join(data, 'applications', ENTRY)
  const list = join(config, 'mimeapps.list')
  await write(entry, desktopEntry(program))
  await write(list, withDefault(await readOr(list, ''), ENTRY))
  return [entry, list]
}

/** Takes it back. */
export async function unregisterHandler(env: NodeJS.ProcessEnv): Promise<void> {
  const { data, config } = folders(env)
  await rm(join(data, 'applications', ENTRY), { force: true })
  const list = join(config, 'mimeapps.list')
  const before = await readOr(list, '')
  const after = withDefault(before, null)
  if (after !== before) await write(list, after)
}
