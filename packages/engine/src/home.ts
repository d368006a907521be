/** The files of the home folder, open and watched for changes by other processes. */
import { openGrantStore } from '@leuria/grant-store'
import { openConfig, openProviders } from '@leuria/state'
import type { Settings } from './engine-options.js'

/** Opens all of them. @throws StateError when one can't be read or belongs to a newer version */
export async function openHome({ home, clock, log }: Settings) {
  const options = {
    home,
    clock,
    log: (line: string) => {
      log.warn(line)
    },
  }
  const [config, providers, grants] = await Promise.all([
    openConfig(options),
    openProviders(options),
    openGrantStore(options),
  ])
  return {
    config,
    providers,
    grants,
    async close() {
      await Promise.all([config.close(), providers.close(), grants.close()])
    },
  }
}

export type Home = Awaited<ReturnType<typeof openHome>>
