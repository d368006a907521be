/** Which agents may run outside a sandbox although nobody has checked them: `trusted` in `config.json`. */
import { openConfig } from '@leuria/state'
import { homeOptions, using } from './home.js'

export async function trustedAgents(): Promise<readonly string[]> {
  return using(openConfig(homeOptions()), (config) => config.value.trusted ?? [])
}

/** A running engine follows at once. False: it was so already. */
export async function setTrusted(id: string, trusted: boolean): Promise<boolean> {
  return using(openConfig(homeOptions()), async (config) => {
    let changed = false
    await config.update((value) => {
      const before = value.trusted ?? []
      changed = before.includes(id) !== trusted
      if (!changed) return value
      return { ...value, trusted: trusted ? [...before, id] : before.filter((each) => each !== id) }
    })
    return changed
  })
}
