/** One of the visitor's AIs: what it is, whether it works, its model, and what can be done with it. */
import { adminAddAiReply, type AdminAi, adminOk, adminRemoved } from '@leuria/protocol'
import { useEffect, useState } from 'react'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { Select } from '../parts/select.js'
import { withCurrent } from '../state/ai-choice-options.js'
import { useModels } from '../state/use-models.js'
import { useAction, useStore } from '../state/use-window.js'
import { AiTest } from './ai-test.js'
import { SignIn } from './sign-in.js'

/** It is always there, has no account, and can't be removed. */
function isDemo({ id }: AdminAi): boolean {
  return id === 'demo'
}

function whatItIs(ai: AdminAi): string {
  if (isDemo(ai)) return 'Needs nothing, and knows little'
  if (ai.kind === 'agent') return 'A program of its maker, with your own account'
  return ai.local === false
    ? `A model of ${ai.provider?.name ?? 'a service'}`
    : 'A model on this computer: private and free'
}

function ModelChoice({ ai }: { ai: AdminAi }) {
  const { client } = useStore()
  const models = useModels(ai.id)
  const change = useAction()
  if (models === null || models.length < 2) return null
  const value = ai.model ?? ''
  return (
    <>
      <Select
        label="Model"
        value={value}
        disabled={change.isRunning}
        options={withCurrent([{ value: '', label: 'Its own choice' }, ...models], value)}
        onChange={(model) => {
          void change.run(() =>
            client.post('agent/model', { body: { id: ai.id, model: model === '' ? null : model }, schema: adminOk }),
          )
        }}
      />
      {change.error !== null && <Notice kind="error">{change.error}</Notice>}
    </>
  )
}

/** `isFresh`: just installed, so that signing in comes next. */
export function AiCard({ ai, isFresh = false }: { ai: AdminAi; isFresh?: boolean }) {
  const { client } = useStore()
  const [isSigningIn, setSigningIn] = useState(false)
  const change = useAction()
  useEffect(() => {
    if (isFresh) setSigningIn(true)
  }, [isFresh])
  const makeDefault = (): void => {
    void change.run(() => client.post('agent', { body: { id: ai.id }, schema: adminAddAiReply, isLong: true }))
  }
  const remove = (): void => {
    void change.run(() => client.remove(`ais?id=${encodeURIComponent(ai.id)}`, adminRemoved))
  }
  return (
    <li className="card ai-card">
      <div className="ai-head">
        <div>
          <strong>{ai.name}</strong>
          <span className="hint">{whatItIs(ai)}</span>
        </div>
        {ai.default && <span className="tag tag-live">answers sites</span>}
      </div>
      {ai.problem !== undefined && <Notice kind="error">{ai.problem}</Notice>}
      <ModelChoice ai={ai} />
      {change.error !== null && <Notice kind="error">{change.error}</Notice>}
      {isSigningIn && <SignIn agent={ai.id} />}
      <div className="row">
        {!ai.default && (
          <Button isBusy={change.isRunning} onClick={makeDefault}>
            Let it answer sites
          </Button>
        )}
        <AiTest agent={ai.id} />
        {ai.kind === 'agent' && !isDemo(ai) && !isSigningIn && (
          <Button
            look="quiet"
            onClick={() => {
              setSigningIn(true)
            }}
          >
            Sign-in
          </Button>
        )}
        {!ai.default && ai.kind === 'agent' && !isDemo(ai) && (
          <Button look="quiet" isBusy={change.isRunning} onClick={remove}>
            Remove
          </Button>
        )}
      </div>
    </li>
  )
}
