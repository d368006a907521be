/** The first minutes: which AI should answer, getting and trying it. Shown until there is one, or the visitor goes on. */
import { adminAddAiReply, type AdminAi } from '@leuria/protocol'
import { useState } from 'react'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { InstallAgent, installable } from './add-ai.js'
import { SignIn } from './sign-in.js'

/** So many agents are offered here; the others are under "Your AIs". */
const OFFERED = 3

function HereAlready({ ai, onDone }: { ai: AdminAi; onDone: () => void }) {
  const { client } = useStore()
  const choosing = useAction()
  const choose = async (): Promise<void> => {
    const chosen = await choosing.run(() =>
      client.post('agent', { body: { id: ai.id }, schema: adminAddAiReply, isLong: true }),
    )
    if (chosen) onDone()
  }
  return (
    <li className="card ai-card">
      <div className="ai-head">
        <div>
          <strong>{ai.name}</strong>
          <span className="hint">Found on this computer</span>
        </div>
        <Button look="main" isBusy={choosing.isRunning} onClick={() => void choose()}>
          Use it
        </Button>
      </div>
      {choosing.error !== null && <Notice kind="error">{choosing.error}</Notice>}
    </li>
  )
}

export function FirstRun({ onDone }: { onDone: () => void }) {
  const ais = useWindow((state) => state.ais)
  const agents = useWindow((state) => state.agents)
  const here = (ais ?? []).filter((ai) => ai.ready && !ai.default)
  const more = installable(agents).slice(0, OFFERED)
  const [fresh, setFresh] = useState<string | null>(null)
  return (
    <section className="first-run" aria-labelledby="first-title">
      <h1 id="first-title">Welcome to Leuria</h1>
      <p className="lead">
        Web pages can use your own AI instead of theirs: it costs them nothing, and they learn nothing about you. First,
        choose the AI that answers.
      </p>
      {fresh !== null && (
        <div className="panel">
          <h2>Almost done: sign in</h2>
          <SignIn agent={fresh} onSignedIn={onDone} />
        </div>
      )}
      {here.length > 0 && (
        <ul className="cards cards-single">
          {here.map((ai) => (
            <HereAlready key={ai.id} ai={ai} onDone={onDone} />
          ))}
        </ul>
      )}
      {agents?.message != null && <Notice>{agents.message}</Notice>}
      {more.length > 0 && (
        <>
          <h2>Or install one, and use your own account</h2>
          <ul className="cards cards-single">
            {more.map((agent) => (
              <InstallAgent key={agent.id} agent={agent} makeDefault onInstalled={setFresh} />
            ))}
          </ul>
        </>
      )}
      <Button look="quiet" onClick={onDone}>
        Go on with the demo AI for now
      </Button>
    </section>
  )
}
