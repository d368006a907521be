/** So many sessions at once, four a site: as many as a site may have. */
import { Page, type PageOptions } from './page.js'
import type { Variant } from './stage.js'

export const SESSIONS_A_SITE = 4
/** Connected sites for the most of them. */
export const SITES_FOR_ALL = 25

/** What growth by sessions is measured at. */
export function sessionSizes(scale: number): readonly number[] {
  return scale < 1 ? [1, 2] : [1, 10, SITES_FOR_ALL * SESSIONS_A_SITE]
}

export interface PagesOptions extends PageOptions {
  /** How many are open already. @default 0 */
  firstSession?: number
}

export async function openPages(
  variant: Variant,
  count: number,
  { firstSession = 0, ...options }: PagesOptions = {},
): Promise<Page[]> {
  const pages: Page[] = []
  for (let place = firstSession; place < firstSession + count; place += 1) {
    const page = new Page({ ...variant, ...variant.site(Math.floor(place / SESSIONS_A_SITE)) })
    await page.start(options)
    pages.push(page)
  }
  return pages
}

/** Opens the sessions, does the work, closes them. */
export async function withPages<Result>(
  variant: Variant,
  count: number,
  work: (pages: readonly Page[]) => Promise<Result>,
): Promise<Result> {
  const pages = await openPages(variant, count)
  const result = await work(pages)
  await Promise.all(pages.map((page) => page.close()))
  return result
}
