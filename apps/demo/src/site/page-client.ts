/** The one client of a page: who may answer here. Where the engine is, the server wrote into the page. */
import { bridge, createLeuria, type Leuria, type SiteNeeds } from '@leuria/client'
import { engineAddress } from '../engine-address.js'
import { keepLinksIn } from './keep-links-in.js'
import { sayWithoutWindow } from './no-window.js'
import { SITE_NAME } from './site-name.js'

/** Somebody who disconnects the site elsewhere and comes back should see it at once. */
const LOOK_EVERY_MS = 4_000

export function pageClient(needs: SiteNeeds): Leuria {
  const configured = fromServer('leuria-engine')
  const address = engineAddress({ search: location.search, configured })
  // An engine without an app asks by itself; a link would only make the browser ask what to do with it.
  if (address === configured && fromServer('leuria-approvals') === 'page') keepLinksIn(document, sayWithoutWindow)
  return createLeuria({ providers: [visitorsAi(needs, address)], watchMs: LOOK_EVERY_MS })
}

/** An address that isn't allowed must not leave the visitor with a blank page. */
function visitorsAi(needs: SiteNeeds, url: string): ReturnType<typeof bridge> {
  try {
    return bridge({ app: SITE_NAME, needs, url })
  } catch {
    console.warn(`The engine address ${url} is not allowed; using the default.`)
    return bridge({ app: SITE_NAME, needs })
  }
}

/** What the server wrote into the page; empty where it wrote nothing. */
function fromServer(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}
