/** Services of models: those that were found or saved, and a form for one more. Keys are sent once and never shown. */
import { adminRemoved } from '@leuria/protocol'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import type { Provider } from '../state/part-types.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { count } from '../words/site-words.js'

const savedService = z.looseObject({ id: z.string(), name: z.string(), models: z.array(z.string()) })

function Service({ service }: { service: Provider }) {
  const { client } = useStore()
  const removal = useAction()
  return (
    <li className="service">
      <div>
        <strong>{service.name}</strong> <span className="hint">{service.baseUrl}</span>
        <p className="hint">
          {service.running ? count(service.models.length, 'model') : (service.error ?? 'It does not run right now.')}
        </p>
        {removal.error !== null && <Notice kind="error">{removal.error}</Notice>}
      </div>
      <Button
        look="quiet"
        isBusy={removal.isRunning}
        aria-label={`Forget ${service.name}`}
        onClick={() =>
          void removal.run(() => client.remove(`providers?id=${encodeURIComponent(service.id)}`, adminRemoved))
        }
      >
        Forget
      </Button>
    </li>
  )
}

const EMPTY = { name: '', baseUrl: '', apiKey: '' }

function ServiceForm() {
  const { client } = useStore()
  const id = useId()
  const [values, setValues] = useState(EMPTY)
  const saving = useAction()
  const [said, setSaid] = useState<string | null>(null)
  const save = async (): Promise<void> => {
    setSaid(null)
    const { apiKey, ...rest } = values
    const body = { ...rest, ...(apiKey === '' ? {} : { apiKey }) }
    await saving.run(async () => {
      const { name, models } = await client.post('providers', { body, schema: savedService, isLong: true })
      setSaid(`${name} works: ${count(models.length, 'model')}.`)
      setValues(EMPTY)
    })
  }
  const field = (name: keyof typeof EMPTY, label: string, more: { type?: string; placeholder: string }) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        value={values[name]}
        autoComplete="off"
        {...more}
        onChange={(event) => {
          setValues({ ...values, [name]: event.target.value })
        }}
      />
    </div>
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {field('name', 'Name', { placeholder: 'My server' })}
      {field('baseUrl', 'Address', { placeholder: 'http://127.0.0.1:8080 or https://api.example.com/v1' })}
      {field('apiKey', 'Key, if it wants one', { type: 'password', placeholder: '' })}
      {saving.error !== null && <Notice kind="error">{saving.error}</Notice>}
      {said !== null && <Notice kind="good">{said}</Notice>}
      <Button type="submit" isBusy={saving.isRunning} disabled={values.name === '' || values.baseUrl === ''}>
        Try and save
      </Button>
    </form>
  )
}

export function ServicesPanel() {
  const providers = useWindow((state) => state.providers)
  return (
    <div className="panel">
      <h2>Services of models</h2>
      <p className="hint">
        Ollama and LM Studio on this computer are found by themselves. Any server that speaks the OpenAI API can be
        added.
      </p>
      <ul className="services">
        {providers?.map((service) => (
          <Service key={service.id} service={service} />
        ))}
      </ul>
      <details>
        <summary>Add a service</summary>
        <ServiceForm />
      </details>
    </div>
  )
}
