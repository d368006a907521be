/** Answers of the engine that take their time on the way to the window: what they say is as old as when they were asked for. */
import { EventEmitter, once } from 'node:events'
import type { Page } from 'playwright-core'

export interface HeldAnswers {
  /** Resolves when so many have been given and wait. */
  held(count: number): Promise<void>
  /** Lets them and all later ones through; resolves when those that waited have reached the page. */
  release(): Promise<void>
}

/** From now on, for requests with such an address. */
export async function holdAnswers(page: Page, address: RegExp): Promise<HeldAnswers> {
  const news = new EventEmitter()
  const waiting: (() => Promise<void>)[] = []
  let isReleased = false
  await page.route(address, async (route) => {
    const response = await route.fetch()
    if (isReleased) return route.fulfill({ response })
    waiting.push(() => route.fulfill({ response }))
    news.emit('held')
  })
  return {
    async held(count) {
      while (waiting.length < count) await once(news, 'held')
    },
    async release() {
      isReleased = true
      await Promise.all(waiting.splice(0).map((fulfil) => fulfil()))
      // What the page makes of an answer is on the screen by its next frame but one.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    },
  }
}
