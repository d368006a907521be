// Finds the system's Chromium for browser tests. Nothing is downloaded: without one the tests are skipped, or, under
// CI, fail. Owns no launching: tests pass the path to playwright-core.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** What to tell a person who has none. */
export const CHROMIUM_HINT =
  'no Chromium found. Install one (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM to the path of a Chrome or Chromium.'

/**
 * The path of a Chromium or Chrome: the variable `CHROMIUM`, else the first on `PATH`, else where macOS keeps it.
 * `null`: there is none. A `CHROMIUM` that can't be run counts as none, so that a test can ask for that case.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.CHROMIUM !== undefined) return isExecutable(env.CHROMIUM) ? env.CHROMIUM : null
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = folders.flatMap((folder) => COMMANDS.map((command) => join(folder, command)))
  return [...candidates, ...MAC_APPS].find(isExecutable) ?? null
}

/**
 * For `describe.skipIf(chromium === null)` in browser tests: the path, or `null` to skip.
 * @throws under CI when there is none: there a skipped browser test would hide a fault.
 */
export function chromiumForTests(env: NodeJS.ProcessEnv = process.env): string | null {
  const found = findChromium(env)
  if (found === null && isCi(env)) throw new Error(`Browser tests can't run: ${CHROMIUM_HINT}`)
  return found
}

function isCi(env: NodeJS.ProcessEnv): boolean {
  return env.CI !== undefined && env.CI !== '' && env.CI !== 'false' && env.CI !== '0'
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}
