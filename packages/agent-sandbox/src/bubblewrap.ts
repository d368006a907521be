/**
 * A box on Linux: the arguments of `bwrap` (bubblewrap). Pure but for looking which parts of the system exist.
 * An allow-list: the root is empty, and only what is named here or in the view is put into it.
 */
import { lstatSync, readlinkSync } from 'node:fs'
import type { BoxView, WrapCommand } from './box-view.js'

/** Programs and libraries. `/nix/store` and Homebrew's folder are where whole systems keep theirs. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/home/linuxbrew/.linuxbrew',
]
/** How names are looked up, who is trusted, what time it is, where libraries are. Nothing that names the visitor. */
const SETTINGS = [
  '/etc/ssl',
  '/etc/pki',
  '/etc/ca-certificates',
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/host.conf',
  '/etc/nsswitch.conf',
  '/etc/gai.conf',
  '/etc/protocols',
  '/etc/services',
  '/etc/localtime',
  '/etc/timezone',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
]

/** Everything apart except the network, which the agent needs for its own service. Dies with the engine. */
const APART = ['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try']

interface Mount {
  readonly to: string
  readonly args: readonly string[]
}

/** A wrapper around the program at `bwrap`. */
export function bubblewrap(bwrap: string): WrapCommand {
  return (command, view) => ({ command: bwrap, args: [...boxArgs(view), '--', command.command, ...command.args] })
}

function boxArgs(view: BoxView): string[] {
  // A folder after what is inside it would cover that: the shorter path first.
  const mounts = [...systemMounts(), ...viewMounts(view)].sort((a, b) => a.to.length - b.to.length)
  return [
    ...APART,
    '--die-with-parent',
    ...mounts.flatMap((mount) => mount.args),
    '--remount-ro',
    '/',
    '--hostname',
    'leuria-box',
    '--chdir',
    view.cwd,
  ]
}

function systemMounts(): Mount[] {
  return [
    ...[...SYSTEM, ...SETTINGS].flatMap((path) => systemMount(path) ?? []),
    { to: '/proc', args: ['--proc', '/proc'] },
    { to: '/dev', args: ['--dev', '/dev'] },
    { to: '/tmp', args: ['--tmpfs', '/tmp'] },
  ]
}

/** On most systems `/bin` is a link to `usr/bin`; it stays one. */
function systemMount(path: string): Mount | null {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts === undefined) return null
  if (facts.isSymbolicLink() && SYSTEM.includes(path))
    return { to: path, args: ['--symlink', readlinkSync(path), path] }
  return { to: path, args: ['--ro-bind-try', path, path] }
}

function viewMounts(view: BoxView): Mount[] {
  const bind = (flag: string, from: string, to: string): Mount => ({ to, args: [flag, from, to] })
  return [
    bind('--ro-bind', view.users.passwd, '/etc/passwd'),
    bind('--ro-bind', view.users.group, '/etc/group'),
    ...view.readable.map((path) => bind('--ro-bind', path, path)),
    ...view.writable.map((path) => bind('--bind', path, path)),
    ...view.shown.map(({ from, to }) => bind('--bind', from, to)),
  ]
}
