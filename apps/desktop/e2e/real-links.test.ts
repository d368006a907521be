/**
 * The whole silent flow, as a visitor has it: a click on a page in a real browser, the system's own way from the link to
 * the program that is registered for it, the program's window, Allow there, and the page is connected.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromiumForTests } from '@leuria/tooling/chromium'
import { freePort } from '@leuria/tooling/free-port'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AskingSite, openAskingSite } from './asking-site.js'
import { DesktopScene, madeFolder, PROGRAM } from './desktop-program.js'
import { missingForRealLinks, openDisplay, type VirtualDisplay } from './virtual-display.js'

const browser = chromiumForTests()
const missing = missingForRealLinks()

describe.skipIf(browser === null || missing !== null)(
  `a click${missing === null ? '' : `: ${missing}`}`,
  { timeout: 120_000 },
  () => {
    let folder: string
    let display: VirtualDisplay
    let scene: DesktopScene
    let site: AskingSite
    let port: number
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'leuria-links-'))
      display = await openDisplay()
      const home = await madeFolder(join(folder, 'home'))
      port = await freePort() // A page has to know it before the engine is there.
      await writeFile(join(home, 'config.json'), JSON.stringify({ version: 1, port }))
      const env = { XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') }
      scene = await DesktopScene.open({ browser, display: display.name, env, home })
      await promisify(execFile)(process.execPath, [PROGRAM, '--register'], { env: scene.env })
      site = await openAskingSite({
        browser: browser ?? '',
        engineUrl: `http://127.0.0.1:${port}`,
        env: scene.env,
        folder,
      })
    })
    afterEach(async () => {
      await scene.quit()
      await site[Symbol.asyncDispose]()
      await scene[Symbol.asyncDispose]()
      await display[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true, maxRetries: 20 })
    })

    const answer = async (name: string): Promise<void> => {
      const window = await scene.window()
      await window.getByText(site.origin).first().waitFor({ timeout: 60_000 })
      await window.getByRole('button', { name }).click()
    }

    it('starts the program that was not running; Allow there connects the page', async () => {
      await site.ask()
      await answer('Allow')
      await site.says(/^connected to Demo AI/)
      const grants = await readFile(join(scene.home, 'grants.json'), 'utf8')
      expect(grants).toContain(site.origin)
      expect(grants).toContain('Test shop')
    })

    it('reaches the program that runs, whose window was closed; a No is told to the page', async () => {
      scene.startWith(['--port', String(port)])
      await scene.engine()
      await (await scene.window()).close()
      await site.ask()
      await answer('Not now')
      await site.says(/^denied/)
    })
  },
)
