/** More AIs: agents that can be installed, with progress and a word of warning where their maker gives no checksum. */
import { adminAddAiReply, type AdminAgentList } from '@leuria/protocol'
import { useState } from 'react'
import { RequestError } from '../engine/admin-client.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { ProgressBar } from './progress-bar.js'
import { SignIn } from './sign-in.js'

type ListedAgent = Extract<AdminAgentList['agents'][number], { kind: 'agent' }>

/** Agents that aren't here yet and can be. */
export function installable(list: AdminAgentList | null): ListedAgent[] {
  return (list?.agents ?? []).flatMap((agent) =>
    agent.kind === 'agent' && agent.installable && agent.installed === null && !agent.found ? [agent] : [],
  )
}

interface InstallProps {
  agent: ListedAgent
  makeDefault?: boolean
  onInstalled?: () => void
}

export function InstallAgent({ agent, makeDefault = false, onInstalled }: InstallProps) {
  const { client } = useStore()
  const [needsWord, setNeedsWord] = useState(false)
  const [isHere, setHere] = useState(false)
  const installing = useAction()
  const install = async (insist: boolean): Promise<void> => {
    setNeedsWord(false)
    const done = await installing.run(async () => {
      try {
        await client.post('ais', {
          body: { id: agent.id, makeDefault, ...(insist ? { insist } : {}) },
          schema: adminAddAiReply,
          isLong: true,
        })
      } catch (error) {
        setNeedsWord(error instanceof RequestError && error.code === 'unverified')
        throw error
      }
    })
    setHere(done)
  }
  return (
    <li className="card ai-card">
      <div className="ai-head">
        <div>
          <strong>{agent.name}</strong>
          <span className="hint">{agent.description}</span>
        </div>
        {!isHere && (
          <Button isBusy={installing.isRunning} onClick={() => void install(false)}>
            Install
          </Button>
        )}
      </div>
      {installing.isRunning && <ProgressBar id={agent.id} />}
      {installing.error !== null && <Notice kind="error">{installing.error}</Notice>}
      {needsWord && (
        <Button look="danger" onClick={() => void install(true)}>
          Install it all the same
        </Button>
      )}
      {isHere && <SignIn agent={agent.id} {...(onInstalled === undefined ? {} : { onSignedIn: onInstalled })} />}
    </li>
  )
}

export function AddAi() {
  const agents = useWindow((state) => state.agents)
  const more = installable(agents)
  return (
    <div className="panel">
      <h2>Add an AI</h2>
      {agents?.message != null && <Notice>{agents.message}</Notice>}
      {agents?.message === null && more.length === 0 && (
        <p className="hint">Every agent that can be installed here is installed.</p>
      )}
      <ul className="cards cards-single">
        {more.map((agent) => (
          <InstallAgent key={agent.id} agent={agent} />
        ))}
      </ul>
    </div>
  )
}
