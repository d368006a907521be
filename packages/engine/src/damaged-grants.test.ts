/** An engine whose grants file was cut short, as after a power cut (FC-21). The file's own part: `@leuria/state`. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestEngine, SHOP } from './engine.fixture.js'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leuria-damaged-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

it.each([
  ['a: empty', ''],
  ['b: cut in half', '{"version":1,"grants":[{"origin":"https://shop.exam'],
  ['c: of another shape', '[]'],
  ['d: zeros', '\0'.repeat(512)],
])('starts with nobody connected, keeps the file, and says so once: FC-21 %s', async (_case, content) => {
  await writeFile(join(home, 'grants.json'), content)
  await using test = await openTestEngine({ home })
  for (const token of ['', 'any', 'undefined'])
    expect((await test.call('/session/prepare', { origin: SHOP, token, body: {} })).status).toBe(401)
  expect(test.engine.grants.list()).toEqual([])

  const token = await test.connect()
  expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({ paired: true })
  const kept = (await readdir(home)).filter((name) => name !== 'grants.json' && name.startsWith('grants'))
  expect(kept).toHaveLength(1)
  for (const name of kept) expect(await readFile(join(home, name), 'utf8')).toBe(content)
  expect((await stat(join(home, 'grants.json'))).mode & 0o777).toBe(0o600)
  expect(test.warnings.filter((line) => line.includes('grants'))).toHaveLength(1)
})

it('is not disturbed by a half file that a crash left beside it: FC-21 e', async () => {
  const before = await openTestEngine({ home })
  const token = await before.connect()
  await before[Symbol.asyncDispose]()
  await writeFile(join(home, 'grants.json.4711.tmp'), '{"version":1,"grants":[')
  await using test = await openTestEngine({ home })
  expect((await test.call('/health', { origin: SHOP, token })).json).toMatchObject({ paired: true })
  expect(test.warnings).toEqual([])
})
