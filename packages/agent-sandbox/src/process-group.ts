/**
 * Everything a program started, as far as the system lets us see it: asking it to end, making it end, and whether any
 * of it is still there. How long to wait between is `agent-program.ts`.
 */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

export interface ProcessGroup {
  /** SIGTERM. */
  ask(): Promise<void>
  /** SIGKILL. */
  force(): Promise<void>
  /** False: nothing of it runs any more. */
  isAlive(): Promise<boolean>
}

/** The group that `leader` (a child started as a group's leader) is in. `mark`: the value of `MARK_VARIABLE` in its environment. */
export function plainGroup(leader: number, mark: string): ProcessGroup {
  if (process.platform === 'win32') return windowsTree(leader)
  return {
    ask: async () => {
      signalGroup(leader, 'SIGTERM')
    },
    force: async () => {
      signalGroup(leader, 'SIGKILL')
      // What left the group (a daemon in a session of its own) still carries the mark, unless it meant to hide.
      for (const pid of await marked(mark)) signal(pid, 'SIGKILL')
    },
    isAlive: () => groupRuns(leader),
  }
}

/**
 * The same in a box with a process world of its own. Asking goes past the box's own two processes: the outer one would
 * die of it and take the agent down before that could tidy up. With the outer one dies everything inside.
 */
export function boxedGroup(leader: number): ProcessGroup {
  return {
    ask: async () => {
      const [init] = await childrenOf(leader)
      for (const pid of init === undefined ? [] : await descendantsOf(init)) signal(pid, 'SIGTERM')
    },
    force: async () => {
      signalGroup(leader, 'SIGKILL')
    },
    isAlive: () => groupRuns(leader),
  }
}

/** The variable by which a program's descendants are known where no box keeps them together. */
export const MARK_VARIABLE = 'LEURIA_BOX_MARK'

function signalGroup(leader: number, name: NodeJS.Signals | 0): boolean {
  return signal(-leader, name)
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch (error) {
    // EPERM: there is something, but not ours to signal.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * The dead stay in their group until somebody takes note of them, which a container's first process may do late or
 * never; they are not counted.
 */
async function groupRuns(leader: number): Promise<boolean> {
  if (!signalGroup(leader, 0)) return false
  if (process.platform !== 'linux') return true
  const states = (await processIds()).map(async (pid) => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // pid (name) state parent group …; the name may hold anything, a bracket too.
    const [state, , group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(group) === leader && state !== 'Z' && state !== 'X'
  })
  return (await Promise.all(states)).includes(true)
}

async function processIds(): Promise<string[]> {
  return (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
}

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return list.split(' ').filter(Boolean).map(Number)
}

async function descendantsOf(pid: number): Promise<number[]> {
  const found: number[] = []
  for (const child of await childrenOf(pid)) found.push(child, ...(await descendantsOf(child)))
  return found
}

async function marked(mark: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const wanted = `${MARK_VARIABLE}=${mark}`
  const hits = (await processIds()).map(async (pid) => {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    return environment.split('\0').includes(wanted) ? [Number(pid)] : []
  })
  return (await Promise.all(hits)).flat()
}

/** Not run by any test of this project, which has no Windows machine. */
function windowsTree(leader: number): ProcessGroup {
  const kill = (flags: string[]): Promise<void> =>
    new Promise((resolve) => {
      execFile('taskkill', ['/pid', String(leader), '/T', ...flags], () => {
        resolve()
      })
    })
  return { ask: () => kill([]), force: () => kill(['/F']), isAlive: async () => signal(leader, 0) }
}
