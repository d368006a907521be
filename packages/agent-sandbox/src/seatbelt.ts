/**
 * A box on macOS: a profile for `sandbox-exec`, in its own small language. Pure.
 * Not run by any test of this project, which has no macOS machine; the probe at every start decides whether it counts.
 */
import type { BoxView, WrapCommand } from './box-view.js'

/** The system's tool, at its fixed place. */
export const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

/** Programs, libraries and settings of the system, and of Homebrew. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/System',
  '/Library/Apple',
  '/Library/Frameworks',
  '/Library/Preferences',
  '/private/etc',
  '/private/var/db/timezone',
  '/private/var/select',
  '/private/var/run/resolv.conf',
  '/opt/homebrew',
  '/dev',
]

/** A wrapper around `sandbox-exec`. Sign-ins are links in the session's folder: their targets are opened here. */
export const seatbelt: WrapCommand = (command, view) => ({
  command: SANDBOX_EXEC,
  args: ['-p', seatbeltProfile(view), command.command, ...command.args],
})

/** Nothing is allowed but what is named. The network is left to the agent's own service. */
export function seatbeltProfile(view: BoxView): string {
  const writable = [...view.writable, ...view.shown.map(({ from }) => from)]
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow process-info* signal (target same-sandbox))',
    '(allow sysctl-read mach-lookup ipc-posix-shm network* system-socket)',
    // Finding a path needs the facts of the folders above it; it shows no names and no content.
    '(allow file-read-metadata)',
    '(allow file-read-data (literal "/"))',
    `(allow file-read* ${paths([...SYSTEM, ...view.readable, ...writable])})`,
    `(allow file-write* ${paths(writable)})`,
    '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
  ].join('\n')
}

function paths(list: readonly string[]): string {
  return list.map((path) => `(subpath ${quote(path)})`).join(' ')
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
