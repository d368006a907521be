/** What the server writes into the page: where the engine is, and where it asks the visitor. */

export interface PageConfig {
  engineUrl: string
  /** `page`: the engine opens a page of its own. `app`: its app has a window. `null`: not known. */
  approvals: 'page' | 'app' | null
}

/** Fills the page's own places. What a URL's origin can't hold can't break out of an attribute either. */
export function withConfig(page: string, { engineUrl, approvals }: PageConfig): string {
  return page
    .replace(
      '<meta name="leuria-engine" content=""',
      `<meta name="leuria-engine" content="${new URL(engineUrl).origin}"`,
    )
    .replace('<meta name="leuria-approvals" content=""', `<meta name="leuria-approvals" content="${approvals ?? ''}"`)
}

/**
 * The engine is on the same computer: it answers at once or isn't running, which is known at once, too. Only a busy
 * computer makes it slower; a page that doesn't know would open links that nothing receives.
 */
const HEALTH_LIMIT_MS = 5_000

/**
 * Asks the engine beside this server. An engine without an app can't receive `leuria:` links, and browsers on some systems
 * cover the page with a question of their own when nothing can: the page then opens none.
 */
export async function askApprovals(engineUrl: string): Promise<PageConfig['approvals']> {
  try {
    const url = new URL('/health', engineUrl)
    const health: unknown = await (await fetch(url, { signal: AbortSignal.timeout(HEALTH_LIMIT_MS) })).json()
    const approvals = typeof health === 'object' && health !== null && 'approvals' in health ? health.approvals : null
    return approvals === 'page' || approvals === 'app' ? approvals : null
  } catch {
    return null // Not running, or something else: the page finds out by itself.
  }
}
