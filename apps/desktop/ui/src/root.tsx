/** From what the program says to what is shown: waiting, a problem with a way out, or the window with its store. */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { AdminClient } from './engine/admin-client.js'
import { askDesktop, type DesktopState, onDesktop, readDesktop } from './engine/desktop.js'
import { Button } from './parts/button.js'
import { Notice } from './parts/notice.js'
import { StoreProvider } from './state/use-window.js'
import { createWindowStore, type WindowStore } from './state/window-store.js'
import { Window } from './window.js'

/** One store for each engine: after a restart port and token are other ones. */
function useEngineStore(engine: DesktopState['engine']): WindowStore | null {
  const [store, setStore] = useState<WindowStore | null>(null)
  const { port, token } = engine ?? { port: 0, token: '' }
  useEffect(() => {
    if (token === '') return
    const made = createWindowStore(new AdminClient({ url: `http://127.0.0.1:${port}`, token }))
    setStore(made)
    return () => {
      made.stop()
    }
  }, [port, token])
  return store
}

/** The site whose settings are open; a link opens another one, also the same again. */
function useSite({ site }: DesktopState): [string | null, (origin: string | null) => void] {
  const [open, setOpen] = useState<string | null>(null)
  const serial = site?.serial
  const origin = site?.origin
  useEffect(() => {
    if (origin !== undefined) setOpen(origin)
  }, [serial, origin])
  return [open, setOpen]
}

export function Root() {
  const desktop = useSyncExternalStore(onDesktop, readDesktop)
  const store = useEngineStore(desktop.engine)
  const [site, setSite] = useSite(desktop)
  if (desktop.problem !== null)
    return (
      <main className="alone">
        <h1>Leuria can’t start</h1>
        <Notice kind="error">{desktop.problem.message}</Notice>
        <div className="row">
          <Button
            look="main"
            onClick={() => {
              askDesktop('retry')
            }}
          >
            Try again
          </Button>
          <Button
            onClick={() => {
              askDesktop('quit')
            }}
          >
            Quit
          </Button>
        </div>
      </main>
    )
  if (store === null)
    return (
      <main className="alone">
        <h1 role="status">Leuria is starting …</h1>
      </main>
    )
  return (
    <StoreProvider store={store}>
      <Window site={site} onSite={setSite} />
    </StoreProvider>
  )
}
