/** Finds an installed browser of Chromium's family: the only kind that can show a page as a window of its own. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'brave-browser',
  'brave',
  'vivaldi-stable',
  'vivaldi',
] as const

const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser', 'Vivaldi'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

const WINDOWS_APPS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
  'BraveSoftware\\Brave-Browser\\Application\\brave.exe',
]
const WINDOWS_ROOTS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']

/** Said to the visitor when there is none. */
export const NO_BROWSER =
  'Leuria shows its window with a browser like Chromium, Google Chrome, Microsoft Edge or Brave, and found none. Install one of them, or set LEURIA_BROWSER to its program.'

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    // Folders can be "run", too.
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The variable `LEURIA_BROWSER`, else the first one that is installed. `null`: none, or the variable names none. */
export function findBrowser(env: NodeJS.ProcessEnv): string | null {
  const { LEURIA_BROWSER: chosen } = env
  if (chosen !== undefined && chosen !== '') return isProgram(chosen) ? chosen : null
  // Links start this program in whatever folder the system thinks of: what lies there is nobody's installed browser.
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  const onPath = folders.flatMap((folder) => COMMANDS.map((command) => join(folder, command)))
  const roots = WINDOWS_ROOTS.flatMap((root) => env[root] ?? [])
  const windows = roots.flatMap((root) => WINDOWS_APPS.map((app) => join(root, app)))
  return [...onPath, ...MAC_APPS, ...windows].find(isProgram) ?? null
}
