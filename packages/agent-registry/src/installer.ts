/** What every way of installing an agent is given, and what it gives back. */
import type { Environment } from '@leuria/agent-sandbox'
import type { Clock } from '@leuria/clock'
import type { Entry } from './manifest.js'
import type { OnProgress } from './progress.js'
import type { Fetch } from './registry-source.js'

export interface InstallerContext {
  /** Empty, private; whatever is in it when the installer fails is thrown away. */
  readonly folder: string
  readonly env: Environment
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly fetch: Fetch
  readonly onProgress: OnProgress
  /** The visitor wants it although its maker gives no checksum. */
  readonly insist: boolean
  /** How npm and uv are started. @default looked for on this computer */
  readonly tools: { readonly npm?: readonly string[]; readonly uv?: readonly string[] }
}

/** @throws RegistryError */
export type Installer = (context: InstallerContext) => Promise<Entry>

/** An installer's complaint as one line for people: the first lines that say something. */
export function complaint(errors: string): string {
  const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s?/i, '').trim())
  return lines
    .filter((line) => line !== '' && !/^(code|errno|syscall) |complete log|^\S+_\d|npm warn/i.test(line))
    .slice(0, 3)
    .join(' ')
    .slice(0, 400)
}

/** Words by which npm and uv say that they reach nobody. */
export const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|dns error|error sending request|tcp connect error/i
