/** Follows the JSON lines of a program of ours (`leuria start --json`, the sidecar, the shop's server), as they come. */
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface ProgramEvents<Event> {
  /** Everything it printed so far. */
  readonly events: readonly Event[]
  /** The first event that fits, past or to come. Rejects when the program ends before, or says nothing of the kind in time. */
  next: (fits: (event: Event) => boolean) => Promise<Event>
}

/** A program that hasn't said it by then never will; generous, because a test machine is busy. */
const PATIENCE_MS = 30_000

/** @param read from a parsed line to an event; throws for what is none */
export function followProgram<Event>(child: ChildProcess, read: (line: unknown) => Event): ProgramEvents<Event> {
  if (child.stdout === null) throw new Error('The program was started without a pipe for its lines.')
  const events: Event[] = []
  const looks = new Set<() => void>()
  const wake = (): void => {
    for (const look of looks) look()
  }
  let said = ''
  let isOver = false
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.once('close', () => {
    isOver = true
    wake()
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(read(JSON.parse(line)))
    wake()
  })
  const next = (fits: (event: Event) => boolean): Promise<Event> =>
    new Promise((resolve, reject) => {
      const settle = (done: () => void): void => {
        clearTimeout(limit)
        looks.delete(look)
        done()
      }
      const fail = (why: string): void => {
        settle(() => {
          reject(new Error(`The program ${why}: ${JSON.stringify(events)} ${said}`))
        })
      }
      const look = (): void => {
        const found = events.find(fits)
        if (found !== undefined)
          settle(() => {
            resolve(found)
          })
        else if (isOver) fail('ended before it said that')
      }
      const limit = setTimeout(() => {
        fail('did not say that in time')
      }, PATIENCE_MS)
      looks.add(look)
      look()
    })
  return { events, next }
}
