/** Ports that an agent's programs listen on and that let anybody in: a web page could reach them too. Linux only. */
import { execFileSync } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'

/** `st` of a socket that listens (proc_pid_net_tcp(5)). */
const LISTENS = '0A'
const PATIENCE_MS = 20_000
/** Who isn't let in gets one of these. */
const REFUSALS: readonly number[] = [401, 403]

/** Pids of programs that were started from this folder. */
export function pidsOf(folder: string): number[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, stat = '', args = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid !== undefined && !stat.startsWith('Z') && args.includes(folder) ? [Number(pid)] : []
  })
}

/** Each as `port path status`; empty: none listens, or all turn strangers away. */
export async function openDoors(folder: string): Promise<string[]> {
  const sockets = await Promise.all(pidsOf(folder).map(socketsOf))
  const ports = await listeningPorts(new Set(sockets.flat()))
  const asked = ports.flatMap((port) => ['/', '/config', '/session'].map((path) => ask(port, path)))
  return (await Promise.all(asked)).flatMap((door) => door ?? [])
}

async function socketsOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
}

async function listeningPorts(inodes: ReadonlySet<string>): Promise<number[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .flatMap((line) => {
      const fields = line.trim().split(/\s+/)
      const [local = '', state, inode = ''] = [fields[1], fields[3], fields[9]]
      return state === LISTENS && inodes.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
    })
}

async function ask(port: number, path: string): Promise<string | null> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    return REFUSALS.includes(status) ? null : `${port} ${path} ${status}`
  } catch {
    return null
  }
}
