/** Search by meaning, what the visitor should know, and what this is. */
import { adminOk } from '@leuria/protocol'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { Select } from '../parts/select.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { since } from '../words/site-words.js'

function EmbeddingsPanel() {
  const { client } = useStore()
  const embeddings = useWindow((state) => state.embeddings)
  const change = useAction()
  if (embeddings === null) return null
  const { choice, current, models } = embeddings
  const value = typeof choice === 'string' ? choice : JSON.stringify([choice.provider, choice.model])
  const options = [
    { value: 'auto', label: 'The first one found' },
    { value: 'off', label: 'Off' },
    ...models.map(({ provider, model }) => ({ value: JSON.stringify([provider, model]), label: model })),
  ]
  const choose = (next: string): void => {
    const picked = models.find(({ provider, model }) => JSON.stringify([provider, model]) === next)
    const body = { choice: picked === undefined ? next : { provider: picked.provider, model: picked.model } }
    void change.run(() => client.post('embeddings', { body, schema: adminOk }))
  }
  return (
    <div className="panel">
      <h2>Search by meaning</h2>
      <p className="hint">
        Some sites sort and find texts by what they mean. That takes a small model on this computer; texts never leave
        it.
      </p>
      <Select
        label="Model"
        value={value}
        options={options}
        onChange={choose}
        disabled={change.isRunning}
        hint={
          current === null
            ? 'None is in use: start Ollama or LM Studio with an embedding model.'
            : `In use: ${current.model}`
        }
      />
      {change.error !== null && <Notice kind="error">{change.error}</Notice>}
    </div>
  )
}

function WarningsPanel() {
  const store = useStore()
  const warnings = useWindow((state) => state.warnings)
  if (warnings.length === 0) return null
  return (
    <div className="panel">
      <h2>Good to know</h2>
      <ul className="steps">
        {warnings.map(({ at, message }) => (
          <li key={`${at} ${message}`}>
            {message} <span className="hint">{since(at)}</span>
          </li>
        ))}
      </ul>
      <Button
        look="quiet"
        onClick={() => {
          store.clear('warnings')
        }}
      >
        I have read it
      </Button>
    </div>
  )
}

export function SettingsView() {
  const status = useWindow((state) => state.status)
  return (
    <section aria-labelledby="settings-title">
      <h1 id="settings-title">Settings</h1>
      <WarningsPanel />
      <EmbeddingsPanel />
      <div className="panel">
        <h2>About</h2>
        <p>Leuria {status?.version}</p>
        <p className="hint">It runs on this computer only, and answers only the sites that you allow.</p>
      </div>
    </section>
  )
}
