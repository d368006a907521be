/** Finding a program the way a shell does: an absolute path, or a name in the folders of a PATH. Runs nothing. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

export interface SearchOptions {
  /** Folders between the system's separator. Relative ones are skipped: they mean nothing here. */
  readonly path?: string
  /** Endings tried on Windows. @default .COM;.EXE;.BAT;.CMD */
  readonly pathExt?: string
}

/** The absolute path of an executable file, or null. A relative path with a separator is never found. */
export async function findProgram(command: string, options: SearchOptions = {}): Promise<string | null> {
  if (isAbsolute(command)) return (await isExecutable(command)) ? command : null
  if (command === '' || /[/\\\0]/.test(command)) return null
  const endings = process.platform === 'win32' ? ['', ...(options.pathExt ?? '.COM;.EXE;.BAT;.CMD').split(';')] : ['']
  for (const folder of (options.path ?? '').split(delimiter).filter(isAbsolute))
    for (const ending of endings) {
      const path = join(folder, command + ending)
      if (await isExecutable(path)) return path
    }
  return null
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
