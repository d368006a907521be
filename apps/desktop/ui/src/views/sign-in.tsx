/** Signing in to an agent in its own way: in this window's browser, or told what to type where only a terminal will do. */
import { adminOk, type AdminSignIn, adminSignIn } from '@leuria/protocol'
import { useEffect, useState } from 'react'
import { askDesktop } from '../engine/desktop.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { ProgressBar } from './progress-bar.js'

interface SignInProps {
  agent: string
  onSignedIn?: () => void
}

/** A page of the agent's maker, to be opened in the visitor's own browser. */
function SignInAddress() {
  const url = useWindow((state) => state.signInUrl)
  if (url === null || !url.startsWith('https://')) return null
  return (
    <div className="row">
      <Button
        look="main"
        onClick={() => {
          askDesktop('openPage', url)
        }}
      >
        Open the sign-in page
      </Button>
      <span className="hint">It opens in your browser. Come back here when you are done.</span>
    </div>
  )
}

export function SignIn({ agent, onSignedIn }: SignInProps) {
  const store = useStore()
  const [state, setState] = useState<AdminSignIn | null>(null)
  const asking = useAction()
  const signing = useAction()
  const { client } = store

  useEffect(() => {
    const stop = new AbortController()
    void asking.run(async () => {
      const query = `signin?agent=${encodeURIComponent(agent)}`
      setState(await client.send('GET', query, { schema: adminSignIn, signal: stop.signal, isLong: true }))
    })
    return () => {
      stop.abort()
    }
  }, [client, agent, asking.run])

  const signIn = async (methodId: string): Promise<void> => {
    await signing.run(async () => {
      const ended = await client.post('signin', { body: { agent, methodId }, schema: adminSignIn, isLong: true })
      setState(ended)
      store.clear('signInUrl')
      if (ended.ok) onSignedIn?.()
    })
  }

  if (asking.error !== null) return <Notice kind="error">{asking.error}</Notice>
  if (state === null) return <Notice>Looking whether you are signed in …</Notice>
  if (state.ok && !signing.isRunning) return <Notice kind="good">{state.detail}</Notice>
  return (
    <div className="sign-in">
      <Notice>{state.detail}</Notice>
      <SignInAddress />
      <ProgressBar id={agent} />
      {signing.error !== null && <Notice kind="error">{signing.error}</Notice>}
      <ul className="methods">
        {state.methods.map((method) => (
          <li key={method.id}>
            {method.way === 'here' ? (
              <Button isBusy={signing.isRunning} onClick={() => void signIn(method.id)}>
                {method.name}
              </Button>
            ) : (
              <p className="hint">
                {method.name}: in a terminal, type <code>leuria login {agent}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
      {signing.isRunning && (
        <Button
          look="quiet"
          onClick={() => void client.post('signin/cancel', { schema: adminOk }).catch(() => undefined)}
        >
          Stop
        </Button>
      )}
    </div>
  )
}
