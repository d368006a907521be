/** More AIs: agents that can be installed, with progress and a word of warning where their maker gives no checksum. */
import { adminAddAiReply, type AdminAgentList } from '@leuria/protocol'
import { useState } from 'react'
import { RequestError } from '../engine/admin-client.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { ProgressBar } from './progress-bar.js'

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
  /** It is here now, and somewhere else in the window: what comes next is signing in. */
  onInstalled: (id: string) => void
}

export function InstallAgent({ agent, makeDefault = false, onInstalled }: InstallProps) {
  const { client } = useStore()
  const [needsWord, setNeedsWord] = useState(false)
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
    if (done) onInstalled(agent.id)
  }
  return (
    <li className="card ai-card">
      <div className="ai-head">
        <div>
          <strong>{agent.name}</strong>
          <span className="hint">{agent.description}</span>
        </div>
        <Button isBusy={installing.isRunning} onClick={() => void install(false)}>
          Install
        </Button>
      </div>
      {installing.isRunning && <ProgressBar id={agent.id} />}
      {installing.error !== null && <Notice kind="error">{installing.error}</Notice>}
      {needsWord && (
        <Button look="danger" onClick={() => void install(true)}>
          Install it all the same
        </Button>
      )}
    </li>
  )
}

export function AddAi({ onInstalled }: Pick<InstallProps, 'onInstalled'>) {
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
          <InstallAgent key={agent.id} agent={agent} onInstalled={onInstalled} />
        ))}
      </ul>
    </div>
  )
}
