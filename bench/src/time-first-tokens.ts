/** How long each of some turns takes from its prompt to its first token, one turn at a time. */
import type { Page } from './page.js'

/** In µs. */
export async function timeFirstTokens(page: Page, count: number): Promise<number[]> {
  const tookUs: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const [first, done] = [page.next('chunk'), page.next('turn_completed')]
    const before = performance.now()
    void page.prompt('say 1')
    tookUs.push(((await first).atMs - before) * 1_000)
    await done
  }
  return tookUs
}
