/**
 * Which process is the program of this home: `desktop.json` names it, under the home's lock, so that of two that start at
 * once one is first. A name that a killed process left counts no more.
 */
import { join } from 'node:path'
import { createMark, isLeftBehind, openJsonFile, processMark, type ProcessMark, retireMark } from '@leuria/state'
import * as z from 'zod/mini'

const instanceFile = z.looseObject({
  version: z._default(z.number(), 1),
  holder: z.optional(processMark),
  /** Where the holder listens for later starts. */
  socket: z.optional(z.string()),
})

export interface Claim {
  /** This process is the program now. */
  first: boolean
  holder: ProcessMark
  socket: string
}

export interface InstanceFile {
  /** Takes the home unless somebody living has it; `insteadOf`: a holder that can't be there although its id is in use. */
  claim(socket: string, insteadOf?: ProcessMark): Promise<Claim>
  /** Gives the home free if this process holds it, and closes the file. Idempotent. */
  close(): Promise<void>
}

/** @throws StateError when the home can't be used, with words for people */
export async function openInstanceFile(home: string, log: (line: string) => void): Promise<InstanceFile> {
  const file = await openJsonFile({
    path: join(home, 'desktop.json'),
    schema: instanceFile,
    empty: (): z.infer<typeof instanceFile> => ({ version: 1 }),
    log,
  })
  const mine = createMark()
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    retireMark(mine)
    await file
      .update((value) => (value.holder?.id === mine.id ? { ...value, holder: undefined, socket: undefined } : value))
      .catch(() => undefined)
    await file.close()
  }
  return {
    async claim(socket, insteadOf) {
      let claim: Claim = { first: true, holder: mine, socket }
      await file.update((value) => {
        const { holder } = value
        const isFree = holder === undefined || isLeftBehind(holder) || holder.id === insteadOf?.id
        claim = isFree ? { first: true, holder: mine, socket } : { first: false, holder, socket: value.socket ?? '' }
        return isFree ? { ...value, holder: mine, socket } : value
      })
      return claim
    },
    close: () => (closing ??= close()),
  }
}
