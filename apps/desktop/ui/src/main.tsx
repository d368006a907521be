/** Starts the window: takes the engine's address and token, then shows what the engine tells. */
import { StrictMode, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { AdminClient } from './engine/admin-client.js'
import { takeConnection } from './engine/handover.js'
import { Notice } from './parts/notice.js'
import { StoreProvider } from './state/use-window.js'
import { createWindowStore } from './state/window-store.js'
import { Window } from './window.js'
import './styles/theme.css'
import './styles/layout.css'
import './styles/parts.css'
import './styles/views.css'

/** What the address says behind `#`: the code for the handover, and the site whose settings are wanted. */
function fromAddress(name: string): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(name)
}

function goTo(origin: string | null): void {
  location.hash = origin === null ? '' : new URLSearchParams({ site: origin }).toString()
}

function onAddress(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => {
    removeEventListener('hashchange', listener)
  }
}

function Root() {
  const site = useSyncExternalStore(onAddress, () => fromAddress('site'))
  return <Window site={site} onSite={goTo} />
}

const place = document.querySelector('#window')
if (place === null) throw new Error('index.html has no #window')
const root = createRoot(place)
try {
  const code = fromAddress('code') ?? ''
  const site = fromAddress('site')
  // The code is of no use any more, and the address is seen in the window's list of pages.
  history.replaceState(null, '', site === null ? location.pathname : `#${new URLSearchParams({ site }).toString()}`)
  const store = createWindowStore(new AdminClient(await takeConnection(code)))
  root.render(
    <StrictMode>
      <StoreProvider store={store}>
        <Root />
      </StoreProvider>
    </StrictMode>,
  )
} catch (error) {
  root.render(
    <main className="alone">
      <Notice kind="error">{error instanceof Error ? error.message : 'Leuria could not be reached.'}</Notice>
    </main>,
  )
}
