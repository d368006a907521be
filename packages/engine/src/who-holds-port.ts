/** Finds out which program listens on a port of this computer, as far as the system tells. */
import { readdir, readFile, readlink } from 'node:fs/promises'

/** The kernel's number for the listening socket (Linux: proc(5), /proc/net/tcp; state 0A is LISTEN). */
async function socketInode(port: number): Promise<string | null> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1)
    for (const line of lines) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      if (local?.endsWith(suffix) === true && state === '0A' && inode !== undefined) return inode
    }
  }
  return null
}

async function holdsSocket(pid: string, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  for (const descriptor of await readdir(folder).catch(() => [])) {
    if ((await readlink(`${folder}/${descriptor}`).catch(() => '')) === `socket:[${inode}]`) return true
  }
  return false
}

/** The process on Linux, for example "node (process 4711)"; `null` where the system doesn't tell. */
async function findProcess(port: number): Promise<string | null> {
  const inode = await socketInode(port)
  if (inode === null) return null
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    if (!(await holdsSocket(pid, inode))) continue
    const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim()
    return `${name === '' ? 'a program' : name} (process ${pid})`
  }
  return null
}

/** A sentence part: who holds the port. */
export async function whoHoldsPort(port: number): Promise<string> {
  // Not before: whoever starts an engine imports this file, and most starts ask nobody.
  const { askLeuria } = await import('./ask-leuria.js')
  const [leuria, process] = await Promise.all([askLeuria(port), findProcess(port)])
  if (leuria !== null) return process === null ? leuria : `${leuria}: ${process}`
  return `${process ?? 'another program'} uses it`
}
