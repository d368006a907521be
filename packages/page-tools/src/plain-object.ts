/** Telling JSON objects from everything else. */
import type { JsonObject } from '@leuria/agent'

/** True for what JSON calls an object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
