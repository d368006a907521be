/**
 * The program of an agent that stands ready, as long as it is worth having: its box shows the visitor's sign-in as it was at
 * the start, and doesn't see a file that came or was replaced since.
 */
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { SignInPath } from '@leuria/agent'
import type { AcpAgent } from '@leuria/agent-acp'

export interface ReadyProgram {
  /** Has one, and another after each that is taken. Resolves when it stands; never rejects. */
  warm(): Promise<void>
  /** Has none. Never rejects. */
  cool(): Promise<void>
  /** Before a session takes it: one that can't see the visitor's sign-in makes way for one that can. Never rejects. */
  renew(): Promise<void>
}

/** Which files these are; what is written into them is seen. */
async function markOf(signIn: readonly SignInPath[]): Promise<string> {
  const files = signIn.map(({ home }) => stat(join(homedir(), ...home.split('/'))).catch(() => null))
  return JSON.stringify((await Promise.all(files)).map((file) => (file === null ? null : [file.dev, file.ino])))
}

export function readyProgram(agent: Pick<AcpAgent, 'warm' | 'cool'>, signIn: readonly SignInPath[]): ReadyProgram {
  /** Of the files that it sees; `null`: there is to be none. */
  let mark: string | null = null

  const renew = async (): Promise<void> => {
    if (mark === null) return
    const before: string = mark
    const now = await markOf(signIn)
    if (now === before || mark !== before) return
    mark = now
    // The old one is let go at once, and ends by itself: nobody waits for that.
    void agent.cool()
    void agent.warm()
  }
  return {
    renew,
    async warm() {
      mark ??= await markOf(signIn)
      await renew()
      await agent.warm()
    },
    async cool() {
      mark = null
      await agent.cool()
    },
  }
}
