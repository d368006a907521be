/** How much a site may use: three numbers, each of which may be left empty. */
import { useId, useState } from 'react'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import type { SiteLimits } from '../state/part-types.js'
import { useAction } from '../state/use-window.js'

const FIELDS = [
  { name: 'turnsPerHour', label: 'Questions an hour' },
  { name: 'tokensPerDay', label: 'Tokens a day' },
  { name: 'sessions', label: 'Conversations at once' },
] as const

type LimitValues = Record<(typeof FIELDS)[number]['name'], number | null>

interface LimitsFormProps {
  limits: SiteLimits | undefined
  onSave: (limits: LimitValues) => Promise<unknown>
}

/** An empty field doesn't limit. `undefined`: no whole number from 1. */
function read(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 ? number : undefined
}

export function LimitsForm({ limits, onSave }: LimitsFormProps) {
  const id = useId()
  const [texts, setTexts] = useState(() => FIELDS.map(({ name }) => String(limits?.[name] ?? '')))
  const [isSaved, setSaved] = useState(false)
  const saving = useAction()
  const values = texts.map(read)
  const isWrong = values.includes(undefined)
  const save = async (): Promise<void> => {
    const entries = FIELDS.map(({ name }, at) => [name, values[at] ?? null] as const)
    setSaved(await saving.run(() => onSave(Object.fromEntries(entries) as LimitValues)))
  }
  return (
    <form
      className="limits"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p className="hint">Leave a field empty for no limit.</p>
      <div className="row">
        {FIELDS.map(({ name, label }, at) => (
          <div className="field" key={name}>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <input
              id={`${id}-${name}`}
              inputMode="numeric"
              value={texts[at]}
              aria-invalid={values[at] === undefined}
              placeholder="no limit"
              onChange={(event) => {
                setSaved(false)
                setTexts(texts.map((text, place) => (place === at ? event.target.value : text)))
              }}
            />
          </div>
        ))}
      </div>
      {isWrong && <Notice kind="error">A limit is a whole number from 1.</Notice>}
      {saving.error !== null && <Notice kind="error">{saving.error}</Notice>}
      {isSaved && <Notice kind="good">Saved.</Notice>}
      <Button type="submit" isBusy={saving.isRunning} disabled={isWrong}>
        Save limits
      </Button>
    </form>
  )
}
