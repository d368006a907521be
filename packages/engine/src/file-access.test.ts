/** The gate and the grant check work from memory: no request waits for the disk (issue B, "It holds when"). */
import { readFile, stat } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fakeClock } from '@leuria/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EVIL, openTestEngine, SHOP, type TestEngine } from './engine.fixture.js'
import { type FileAccess, watchFileAccess } from './file-access.fixture.js'
import { askUpgrade } from './upgrade.fixture.js'

const ADMIN = 'admin-token-of-at-least-32-characters'
const HERE = fileURLToPath(import.meta.url)

let access: FileAccess
beforeEach(() => {
  access = watchFileAccess()
})
afterEach(() => {
  access.stop()
})

it('the counter itself sees reads and looks, of any kind', async () => {
  readFileSync(HERE)
  expect(access.seen()).toContain('readFileSync')
  await stat(HERE)
  expect(access.seen()).not.toEqual([])
  await readFile(HERE)
  expect(access.seen()).not.toEqual([])
  expect(access.seen()).toEqual([])
})

/** Every way through the gate and the grant check: let in, refused, cut, preflight, upgrade. */
async function askEverything(test: TestEngine, token: string): Promise<void> {
  const origins = [SHOP, EVIL, 'null', test.engine.url, 'tauri://localhost', undefined]
  for (const origin of origins)
    for (const sent of [token, 'wrong', undefined])
      for (const [method, path] of [
        ['GET', '/health'],
        ['POST', '/session/none/approve'],
        ['GET', '/connect/none/state'],
        ['OPTIONS', '/session/prepare'],
        ['GET', '/nope'],
        ['GET', '/admin/sites'],
      ] as const) {
        await test.call(path, { method, origin, token: sent })
        await test.call(path, { method, origin, token: sent, headers: [['Host', 'evil.example']] })
      }
  for (const origin of origins) {
    await askUpgrade(test.engine.port, '/webmcp/register', { origin })
    await askUpgrade(test.engine.port, '/webmcp/channel/none?token=none', { origin })
  }
  const browser = [['Sec-Fetch-Site', 'cross-site'] as const]
  await test.call('/health', { headers: browser }).catch(() => undefined)
}

it.each(['page', 'app'] as const)('no request touches a file, in %s mode', async (mode) => {
  // Time stands still: the last use is written by a timer, once a minute, whatever requests do.
  await using test = await openTestEngine({ mode, adminToken: ADMIN, clock: fakeClock() })
  const { token } = await test.engine.grants.issue({ origin: SHOP })
  await askEverything(test, token) // loads what is loaded once
  access.seen()
  await askEverything(test, token)
  expect(access.seen()).toEqual([])
  expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({ paired: true })
})
