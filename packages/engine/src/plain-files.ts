/**
 * Tells of some of the home's files, without their schemas, that they are surely whole. What it says no to may be whole as
 * well: then the schemas of `@leuria/protocol` decide. A test holds both together.
 */
import type { ConfigFile, Provider, ProvidersFile } from '@leuria/protocol/browser'

type Fits = (value: unknown) => boolean

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTable: Fits = (value) => isObject(value) && Object.values(value).every(isText)
/** The only one there has been; a file without it is another program's. */
const isVersion: Fits = (value) => value === 1
const isPort: Fits = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535

const maybe =
  (fits: Fits): Fits =>
  (value) =>
    value === undefined || fits(value)

/** All that the schema knows of `config.json`, and no less strictly. */
export const CONFIG_FIELDS: Readonly<Record<string, Fits>> = {
  version: isVersion,
  port: maybe(isPort),
  agent: maybe(isText),
  models: maybe(isTable),
  trusted: maybe((value) => Array.isArray(value) && value.every(isText)),
  warm: maybe((value) => typeof value === 'boolean'),
  embed: () => true,
}

/** The same of an entry of `providers.json`. */
export const PROVIDER_FIELDS: Readonly<Record<string, Fits>> = {
  id: isText,
  kind: (value) => value === 'openai' || value === 'ollama' || value === 'lmstudio',
  name: isText,
  baseUrl: isText,
  apiKey: maybe(isText),
  headers: maybe(isTable),
}

function hasFields(value: unknown, fields: Readonly<Record<string, Fits>>): boolean {
  return isObject(value) && Object.entries(fields).every(([name, fits]) => fits(value[name]))
}

function isPlainProvider(value: unknown): value is Provider {
  return hasFields(value, PROVIDER_FIELDS)
}

/** A JSON file of the home that no newer version wrote. */
export function isPlainFile(value: unknown): value is Record<string, unknown> {
  return isObject(value) && isVersion(value.version)
}

export function isPlainConfig(value: unknown): value is ConfigFile {
  return hasFields(value, CONFIG_FIELDS)
}

export function isPlainProviders(value: unknown): value is ProvidersFile {
  return isPlainFile(value) && Array.isArray(value.providers) && value.providers.every(isPlainProvider)
}
