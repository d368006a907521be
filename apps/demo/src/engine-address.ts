/** Where the engine is: the page's own address may say so (`?engine=`), else the server that sent the page, else the default. */
import { DEFAULT_URL } from '@leuria/client'

export interface EngineAddressSources {
  /** The page's query string. */
  search: string
  /** What the server wrote into the page; empty: nothing. */
  configured: string
}

/** The first that is given. Whether it is allowed is the client's to say. */
export function engineAddress({ search, configured }: EngineAddressSources): string {
  const asked = new URLSearchParams(search).get('engine')?.trim() ?? ''
  return [asked, configured.trim()].find((address) => address !== '') ?? DEFAULT_URL
}
