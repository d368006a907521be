/** CPU time of a process for a piece of work that is repeated, in µs a unit. */
import type { MeasuredProcess } from './measured-process.js'

/** How often the work is done, and how many units are in it each time. A tenth of it goes before, unmeasured. */
export interface RepeatedWork {
  times: number
  units?: number
  work: (time: number) => Promise<unknown>
}

export async function cpuPerUnit(target: MeasuredProcess, { times, units = 1, work }: RepeatedWork): Promise<number> {
  for (let time = 0; time < Math.ceil(times / 10); time += 1) await work(time)
  const before = target.cpuUs()
  for (let time = 0; time < times; time += 1) await work(time)
  return (target.cpuUs() - before) / (times * units)
}

/** The item whose turn it is. */
export function inTurn<Item>(items: readonly Item[], time: number): Item {
  const item = items[time % items.length]
  if (item === undefined) throw new Error('there are none')
  return item
}
