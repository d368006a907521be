/** Which program shows the window: an installed browser, and nothing that only has its name. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findBrowser } from './find-browser.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leuria-browser-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function program(...path: string[]): Promise<string> {
  const file = join(folder, ...path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, '#!/bin/sh\n')
  await chmod(file, 0o755)
  return file
}
const path = (...folders: string[]): string => folders.map((each) => join(folder, each)).join(delimiter)

it('takes the first one on the PATH', async () => {
  const chrome = await program('two', 'google-chrome')
  await program('three', 'chromium')
  expect(findBrowser({ PATH: path('one', 'two', 'three') })).toBe(chrome)
})

it('takes the one that the visitor named, or none', async () => {
  const own = await program('own')
  await program('two', 'chromium')
  expect(findBrowser({ PATH: path('two'), LEURIA_BROWSER: own })).toBe(own)
  expect(findBrowser({ PATH: path('two'), LEURIA_BROWSER: join(folder, 'nothing') })).toBeNull()
})

it("passes over folders that have a browser's name, and files that can't be run", async () => {
  await mkdir(join(folder, 'one', 'chromium'), { recursive: true })
  await writeFile(join(folder, 'one', 'google-chrome'), '')
  const brave = await program('two', 'brave')
  expect(findBrowser({ PATH: path('one', 'two') })).toBe(brave)
})

it('never takes one from the folder it happens to be started in', async () => {
  await program('one', 'chromium')
  expect(findBrowser({ PATH: relative(process.cwd(), join(folder, 'one')) }) ?? '/').toSatisfy(isAbsolute)
  // Where an installed one would be, if there were such a folder.
  const before = process.cwd()
  process.chdir(folder)
  try {
    await program('Google\\Chrome\\Application\\chrome.exe')
    expect(findBrowser({ PATH: '' }) ?? '/').toSatisfy(isAbsolute)
  } finally {
    process.chdir(before)
  }
})
