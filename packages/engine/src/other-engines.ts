/**
 * Engines that use the same home at once: each names itself in `engines.json` while it runs, and says so when it isn't
 * alone. They may be: every file is written under a lock and watched. It only surprises people who don't know of the other.
 */
import { join } from 'node:path'
import { createMark, isLeftBehind, openJsonFile, processMark, type ProcessMark, retireMark } from '@leuria/state'
import * as z from 'zod/mini'
import type { Settings } from './engine-options.js'

const namedEngine = z.extend(processMark, { port: z.int() })
const enginesFile = z.looseObject({
  version: z._default(z.number(), 1),
  /** Each is read by itself: one that can't be read is nobody's. */
  engines: z._default(z.array(z.unknown()), []),
})
type NamedEngine = z.infer<typeof namedEngine>

type Place = Pick<Settings, 'home' | 'clock' | 'fs' | 'log'>

/** One change, with the file open for no longer. What is named is a courtesy: a disk that takes nothing stops no engine. */
async function change({ home, clock, fs, log }: Place, edit: (living: NamedEngine[]) => NamedEngine[]): Promise<void> {
  try {
    const file = await openJsonFile({
      path: join(home, 'engines.json'),
      schema: enginesFile,
      empty: (): z.infer<typeof enginesFile> => ({ version: 1, engines: [] }),
      ...{ clock, fs, log: log.debug },
    })
    try {
      await file.update((value) => ({ ...value, engines: edit(readLiving(value.engines)) }))
    } finally {
      await file.close()
    }
  } catch (error) {
    log.debug(`This engine could not be named in its home: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function readLiving(engines: readonly unknown[]): NamedEngine[] {
  return engines
    .map((engine) => namedEngine.safeParse(engine).data)
    .filter((engine) => engine !== undefined)
    .filter((engine) => !isLeftBehind(engine))
}

function tell({ home, log }: Place, others: readonly NamedEngine[]): void {
  for (const { pid, port } of others)
    log.warn(
      `Another Leuria engine (process ${pid}, port ${port}) uses ${home}, too. Each follows what the other changes; a site reaches the one on its own port.`,
    )
}

export interface NamedHere {
  /** Takes the name out again. Never rejects. Idempotent. */
  leave(): Promise<void>
}

/** Names this engine, and tells of others. Nobody waits for it. */
export function nameEngine(place: Place, port: number): NamedHere {
  const mine: ProcessMark = createMark()
  const named = change(place, (living) => {
    tell(place, living)
    return [...living, { ...mine, port }]
  })
  let left: Promise<void> | undefined
  const leave = async (): Promise<void> => {
    await named
    retireMark(mine)
    await change(place, (living) => living.filter(({ id }) => id !== mine.id))
  }
  return { leave: () => (left ??= leave()) }
}
