/**
 * A visitor's Chromium with a profile of its own. A program for `leuria:` links is registered as on a machine that has one
 * (it does nothing): without it Chromium shows a dialog that keeps the page from getting any input.
 */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

export interface VisitorOptions {
  executablePath: string
  /** The site that may open links without being asked about. */
  origin: string
  width?: number
  colorScheme?: 'light' | 'dark'
  /** Pages that are left are kept in the back/forward cache, as browsers do; the driver turns that off otherwise. */
  keepsPages?: boolean
  /** More of Chromium's own arguments. */
  args?: readonly string[]
}

export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext
}

async function makeProfile(folder: string, origin: string): Promise<void> {
  await mkdir(join(folder, 'profile', 'Default'), { recursive: true })
  const preferences = { protocol_handler: { allowed_origin_protocol_pairs: { [origin]: { leuria: true } } } }
  await writeFile(join(folder, 'profile', 'Default', 'Preferences'), JSON.stringify(preferences))
  await writeFile(join(folder, 'xdg-open'), '#!/bin/sh\nexit 0\n')
  await chmod(join(folder, 'xdg-open'), 0o755)
}

export async function openVisitor({
  executablePath,
  origin,
  width = 1280,
  colorScheme = 'light',
  keepsPages = false,
  args = [],
}: VisitorOptions): Promise<Visitor> {
  const folder = await mkdtemp(join(tmpdir(), 'leuria-visitor-'))
  await makeProfile(folder, origin)
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    args: [...args],
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : [],
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` },
  })
  return {
    context,
    async [Symbol.asyncDispose]() {
      await context.close()
      // Some of the browser's processes write for some moments more.
      await rm(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
