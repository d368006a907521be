/** Fetches a big file to disk: https only, bounded, with progress, its SHA-256, and an end when nothing comes. */
import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { withDeadline } from '@leuria/clock'
import type { InstallerContext } from './installer.js'
import { checkCancelled, RegistryError } from './registry-error.js'

/** Between two pieces. */
const IDLE_LIMIT_MS = 30_000
/** The largest agents are a quarter of this. */
export const MAX_DOWNLOAD_BYTES = 1_073_741_824
/** Progress is told at most this often, in bytes. */
const TELL_EVERY_BYTES = 1_048_576

/** @returns SHA-256 in hex. @throws RegistryError `offline`, `install_failed`, `cancelled` */
export async function download(url: string, path: string, context: InstallerContext): Promise<string> {
  const abort = new AbortController()
  const stop = (): void => {
    abort.abort()
  }
  context.signal.addEventListener('abort', stop)
  try {
    const response = await withDeadline(context.clock, IDLE_LIMIT_MS, context.fetch(url, { signal: abort.signal }))
    return await save(mustBeGood(response), path, context)
  } catch (error) {
    checkCancelled(context.signal)
    if (error instanceof RegistryError) throw error
    const message = `${new URL(url).host} can't be reached. Agents that are installed keep working.`
    throw new RegistryError('offline', message, { cause: error })
  } finally {
    context.signal.removeEventListener('abort', stop)
    stop()
  }
}

function mustBeGood(response: Response): Response {
  if (!response.ok) throw new RegistryError('install_failed', `The server of this AI answered ${response.status}.`)
  // Answers made by hand in tests have no address.
  if (response.url !== '' && !response.url.startsWith('https://'))
    throw new RegistryError('bad_package', 'The server of this AI leads to an address that is not https.')
  return response
}

async function save(response: Response, path: string, context: InstallerContext): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    const totalBytes = Number(response.headers.get('content-length')) || undefined
    let [receivedBytes, toldBytes] = [0, 0]
    for await (const chunk of pieces(response, context)) {
      receivedBytes += chunk.length
      if (receivedBytes > MAX_DOWNLOAD_BYTES)
        throw new RegistryError('bad_package', 'The archive of this AI is too big.')
      hash.update(chunk)
      await writeAll(file, chunk)
      if (receivedBytes - toldBytes < TELL_EVERY_BYTES && receivedBytes !== totalBytes) continue
      toldBytes = receivedBytes
      context.onProgress({ stage: 'fetching', message: 'Fetching', receivedBytes, totalBytes })
    }
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

async function* pieces(response: Response, { clock, signal }: InstallerContext): AsyncGenerator<Uint8Array> {
  if (response.body === null) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const calledOff = whenAborted(signal)
  try {
    for (;;) {
      const read = Promise.race([reader.read(), calledOff.aborted])
      const { done, value } = await withDeadline(clock, IDLE_LIMIT_MS, read)
      if (done) return
      yield value
    }
  } finally {
    calledOff.forget()
    await reader.cancel().catch(() => undefined)
  }
}

/** Rejects when `signal` is aborted, already or later. */
function whenAborted(signal: AbortSignal): { readonly aborted: Promise<never>; forget(): void } {
  let forget = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => {
      reject(new RegistryError('cancelled', 'The installation was called off.'))
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    forget = () => {
      signal.removeEventListener('abort', stop)
    }
  })
  aborted.catch(() => undefined)
  return { aborted, forget }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten
}
