/** Two engines on one home: each is told of the other, follows its changes, and nothing is lost. */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { EVIL, openTestEngine, SHOP } from './engine.fixture.js'

it('know of each other, and keep what either of them was given', async () => {
  await using first = await openTestEngine()
  await vi.waitFor(async () => expect(await readFile(join(first.home, 'engines.json'), 'utf8')).toContain('"port"'), {
    timeout: 20_000,
  })
  expect(first.warnings).toEqual([])
  {
    await using second = await openTestEngine({ home: first.home })
    await vi.waitFor(
      () => {
        expect(second.warnings).toEqual([
          expect.stringMatching(new RegExp(`process ${process.pid}, port ${first.engine.port}\\) uses`)) as unknown,
        ])
      },
      { timeout: 20_000 },
    )
    await Promise.all([first.engine.grants.issue({ origin: SHOP }), second.engine.grants.issue({ origin: EVIL })])
    await vi.waitFor(() => {
      for (const { engine } of [first, second])
        expect(
          engine.grants
            .list()
            .map(({ origin }) => origin)
            .sort(),
        ).toEqual([EVIL, SHOP])
    }, 20_000)
  }
  await using third = await openTestEngine({ home: first.home })
  await vi.waitFor(() => expect(third.warnings).toHaveLength(1), { timeout: 20_000 })
})

it('forget one that was killed, and what nobody can read', async () => {
  await using first = await openTestEngine()
  await first.engine.close()
  const killed = spawn(process.execPath, ['-e', '0'])
  await new Promise((resolve) => killed.once('close', resolve))
  const engines = [{ pid: killed.pid, host: hostname(), id: 'killed', port: 1 }, 'nonsense', null]
  await writeFile(join(first.home, 'engines.json'), JSON.stringify({ version: 1, engines }))
  await first.restart()
  await vi.waitFor(
    async () => {
      const text = await readFile(join(first.home, 'engines.json'), 'utf8')
      expect(text).toContain(`"port": ${first.engine.port}`)
      expect(text).not.toContain('killed')
    },
    { timeout: 20_000 },
  )
  expect(first.warnings).toEqual([])
})
