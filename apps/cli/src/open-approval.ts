/**
 * Opens the approval page in the visitor's browser without showing its key to other programs: process lists show
 * command lines, so the browser is given a private file that leads on to the address, not the address.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '@leuria/clock'

/** The file is needed until the browser has read it; a slow first start of a browser takes some seconds. */
const FILE_LIFE_MS = 60_000
/** The same question is shown at most this often, however often the page asks. */
const REOPEN_AFTER_MS = 15_000
/** So many tabs are opened within `MANY_WITHIN_MS`: a site with many origins must not bury the visitor under them. */
const MANY = 3
const MANY_WITHIN_MS = 60_000

/** A page that goes to the address at once. The address comes from the engine and holds no quotes. */
function redirectPage(url: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>Leuria</title><p><a href="${url}">Go on to Leuria</a>`
}

export interface ApprovalOpener {
  /** Opens the question's page, unless that happened a moment ago. Never throws. */
  open(question: { requestId: string; approveUrl: string }): Promise<void>
  /** Removes what is left of the files. */
  close(): Promise<void>
}

export function createApprovalOpener(options: { clock: Clock; onFailure(text: string): void }): ApprovalOpener {
  const lastOpened = new Map<string, number>()
  const folders = new Set<string>()

  const remove = async (folder: string): Promise<void> => {
    folders.delete(folder)
    await rm(folder, { recursive: true, force: true })
  }
  const show = async (url: string): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'leuria-open-'))
    folders.add(folder)
    options.clock.setTimer(FILE_LIFE_MS, () => void remove(folder))
    const file = join(folder, 'approve.html')
    await writeFile(file, redirectPage(url), { mode: 0o600, flag: 'wx' })
    const { openBrowser } = await import('./open-browser.js')
    const browser = await openBrowser(pathToFileURL(file).href)
    browser.on('error', () => {
      options.onFailure('No browser could be opened. Open the address above yourself.')
    })
  }
  return {
    async open({ requestId, approveUrl }) {
      const now = options.clock.now()
      for (const [id, at] of lastOpened) if (now - at >= MANY_WITHIN_MS) lastOpened.delete(id)
      const before = lastOpened.get(requestId)
      if (before !== undefined && now - before < REOPEN_AFTER_MS) return
      if (before === undefined && lastOpened.size >= MANY) return
      lastOpened.set(requestId, now)
      await show(approveUrl).catch(() => {
        options.onFailure('No browser could be opened. Open the address above yourself.')
      })
    },
    async close() {
      await Promise.all([...folders].map(remove))
    },
  }
}
