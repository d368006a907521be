/** What a JSON file says, told apart: missing, whole, damaged, or from a newer version. Reads only. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { StateFs } from './file-system.js'
import { errnoOf, readError } from './state-error.js'

/** How a file's content is understood. */
export interface JsonFormat<T> {
  schema: z.core.$ZodType<T>
  /** The newest `version` that this program understands. */
  version: number
}

export type JsonContent<T> =
  | { kind: 'missing' }
  | { kind: 'whole'; value: T }
  /** `reason` holds nothing of the content: there may be keys in it. */
  | { kind: 'damaged'; reason: string }
  | { kind: 'newer'; version: number }

/** Content with what tells it from any other. */
export interface Loaded<T> {
  content: JsonContent<T>
  /** Of the file; `null`: there is none. */
  identity: string | null
  /** Of its bytes. */
  digest: string
}

/** What a file that isn't there says. */
export function missingContent<T>(): Loaded<T> {
  return { content: { kind: 'missing' }, identity: null, digest: 'missing' }
}

export function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

/** `grants[0].origin` */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

function parseJson(bytes: Buffer): { ok: true; value: unknown } | { ok: false; reason: string } {
  if (bytes.length === 0) return { ok: false, reason: 'it is empty' }
  try {
    // Fatal: a byte that isn't UTF-8 must not be silently replaced at the next save. Drops a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, reason: 'it is not complete JSON' }
  }
}

function newerVersion(value: unknown, known: number): number | null {
  if (typeof value !== 'object' || value === null || !('version' in value)) return null
  return typeof value.version === 'number' && value.version > known ? value.version : null
}

/** Understands the bytes of a file. */
export function parseContent<T>(bytes: Buffer, format: JsonFormat<T>): JsonContent<T> {
  const json = parseJson(bytes)
  if (!json.ok) return { kind: 'damaged', reason: json.reason }
  const version = newerVersion(json.value, format.version)
  if (version !== null) return { kind: 'newer', version }
  const parsed = z.safeParse(format.schema, json.value)
  if (parsed.success) return { kind: 'whole', value: parsed.data }
  const where = formatPath(parsed.error.issues[0]?.path ?? [])
  return { kind: 'damaged', reason: where === '' ? 'it has the wrong shape' : `it has the wrong shape at ${where}` }
}

export interface LoadOptions<T> {
  fs: StateFs
  format: JsonFormat<T>
  /** What was read or written last: the same bytes are not understood again. */
  known?: Loaded<T>
}

/** Reads `path`. @throws StateError `unreadable`: it exists (or may exist) and can't be read. */
export async function loadJson<T>(path: string, options: LoadOptions<T>): Promise<Loaded<T>> {
  const { fs, format, known } = options
  try {
    const file = await fs.open(path, 'read')
    try {
      // Facts first: a file that is written while it is read then looks changed at the next look.
      const { identity } = await file.facts()
      const bytes = await file.readAll()
      const digest = digestOf(bytes)
      const content = known?.digest === digest ? known.content : parseContent(bytes, format)
      return { content, identity, digest }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return missingContent()
    throw readError(path, error)
  }
}
