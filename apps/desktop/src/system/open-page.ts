/** Opens a page in the visitor's own browser: sign-in pages, which have to know who the visitor is. */
import { spawn } from 'node:child_process'

const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Only https pages: nothing else is anybody's sign-in page, and a handler of another scheme is a program. */
export function openPage(url: string, log: (line: string) => void): void {
  const page = URL.canParse(url) ? new URL(url) : null
  if (page?.protocol !== 'https:') return
  const [command = 'xdg-open', ...args] = COMMANDS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, page.href], { stdio: 'ignore', detached: true })
  child.once('error', () => {
    log(`A page could not be opened in your browser: ${page.href}`)
  })
  child.unref()
}
