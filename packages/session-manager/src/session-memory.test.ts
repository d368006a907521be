/** What an ended session holds: it can be read for 5 minutes and there may be a hundred, so nothing that a page sent. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { settle } from '@leuria/testing'
import { expect, it } from 'vitest'
import { Scene, type SessionScene } from './scene.fixture.js'

/** Whether the body of a session is gone from memory after it went through `life` and ended. */
async function isReleased(scene: Scene, life: (session: SessionScene) => Promise<void>): Promise<boolean> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const sent = await (async () => {
    const body = { systemPrompt: 'Be brief.', attachments: [{ type: 'text' as const, text: 'a large file' }] }
    await life(scene.prepare(body))
    // The test kit keeps what the AI was opened with.
    scene.requests.length = 0
    return [body, body.attachments[0]].map((each) => new WeakRef(each ?? body))
  })()
  for (let round = 0; round < 20 && sent.some((ref) => ref.deref() !== undefined); round += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return sent.every((ref) => ref.deref() === undefined)
}

it.each<[string, (session: SessionScene) => Promise<void>]>([
  ['before it was approved', async (session) => void session.close()],
  [
    'before its first prompt',
    async (session) => {
      await session.idle()
      session.close()
      await settle()
    },
  ],
  [
    'by being forgotten',
    async (session) => {
      await session.scene.clock.advanceAsync(10 * 60_000)
      expect(session.status).not.toBe('pending_approval')
    },
  ],
])('a session that ended %s lets go of what its page sent', async (_name, life) => {
  const scene = new Scene()
  expect(await isReleased(scene, life)).toBe(true)
  expect(scene.manager.live().ended).toBe(1)
  await scene.leftovers()
})
