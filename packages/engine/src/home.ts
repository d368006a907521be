/** The files of the home folder, open and watched for changes by other processes. */
import { openGrantStore } from '@leuria/grant-store'
import { openConfig, openProviders } from '@leuria/state'
import { openUsage } from '@leuria/usage'
import type { Settings } from './engine-options.js'

/** Opens all of them. @throws StateError when one can't be read or belongs to a newer version */
export async function openHome({ home, clock, log, fs, audit }: Settings) {
  const options = {
    home,
    clock,
    fs,
    log: (line: string) => {
      log.warn(line)
    },
  }
  const [config, providers, usage, grants] = await Promise.all([
    openConfig(options),
    openProviders(options),
    openUsage(options),
    openGrantStore({
      ...options,
      // Whoever takes a grant back says so: the feed tells of other processes', too, which write the same log.
      revoked: (origin) => {
        audit.record({ kind: 'grant_revoked', origin })
      },
    }),
  ])
  return {
    config,
    providers,
    grants,
    usage,
    async close() {
      await Promise.all([config.close(), providers.close(), grants.close(), usage.close()])
    },
  }
}

export type Home = Awaited<ReturnType<typeof openHome>>
