/** The user's settings and saved services as files in memory. The shapes are `@leuria/protocol`'s. */
import { join } from 'node:path'
import { type ConfigFile, configFile, type ProvidersFile, providersFile } from '@leuria/protocol'
import { type JsonFile, type JsonFileOptions, openJsonFile } from './json-file.js'

/** What every file in the home takes. */
export type HomeFileOptions = Pick<JsonFileOptions<unknown>, 'clock' | 'fs' | 'log'> & {
  /** From `resolveHome`. */
  home: string
}

/** Opens `config.json`. @throws StateError as `openJsonFile` does */
export function openConfig({ home, ...options }: HomeFileOptions): Promise<JsonFile<ConfigFile>> {
  return openJsonFile({
    ...options,
    path: join(home, 'config.json'),
    schema: configFile,
    empty: () => ({ version: 1 }),
  })
}

/** Opens `providers.json`, which may hold keys. @throws StateError as `openJsonFile` does */
export function openProviders({ home, ...options }: HomeFileOptions): Promise<JsonFile<ProvidersFile>> {
  return openJsonFile({
    ...options,
    path: join(home, 'providers.json'),
    schema: providersFile,
    empty: () => ({ version: 1, providers: [] }),
  })
}
