/** One site: which AI and model answer it, how much it may use and did use, and taking the connection back. */
import { adminLimits, adminOk, adminRemoved, type AdminSite, adminSiteAgentReply } from '@leuria/protocol'
import { useMemo, useState } from 'react'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { Select } from '../parts/select.js'
import { UsageChart } from '../parts/usage-chart.js'
import { aiOptions, DEFAULT_AI, withCurrent } from '../state/ai-choice-options.js'
import { daysOf } from '../state/days-of.js'
import { useModels } from '../state/use-models.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { since, siteName } from '../words/site-words.js'
import { LimitsForm } from './limits-form.js'

/** The model saved for the site, whichever way it was written. */
function modelOf(site: AdminSite): string {
  const { model } = site
  if (typeof model === 'string') return model
  return typeof model === 'object' && model !== null && 'id' in model && typeof model.id === 'string' ? model.id : ''
}

function SiteAi({ site }: { site: AdminSite }) {
  const { client } = useStore()
  const ais = useWindow((state) => state.ais)
  const models = useModels(site.agent)
  const change = useAction()
  const [detail, setDetail] = useState<string | null>(null)
  const chooseAi = (value: string): void => {
    const agent = value === DEFAULT_AI ? null : value
    void change.run(async () => {
      const { signIn } = await client.post('sites/agent', {
        body: { origin: site.origin, agent },
        schema: adminSiteAgentReply,
        isLong: true,
      })
      setDetail(signIn?.ok === false ? signIn.detail : null)
    })
  }
  const chooseModel = (value: string): void => {
    void change.run(() =>
      client.post('sites/model', {
        body: { origin: site.origin, model: value === '' ? null : value },
        schema: adminOk,
      }),
    )
  }
  const model = modelOf(site)
  return (
    <>
      <Select
        label="Who answers"
        value={site.agent ?? DEFAULT_AI}
        options={withCurrent(aiOptions(ais), site.agent ?? DEFAULT_AI)}
        onChange={chooseAi}
        disabled={change.isRunning}
      />
      {models !== null && models.length > 1 && (
        <Select
          label="Model"
          value={model}
          options={withCurrent([{ value: '', label: 'Its own choice' }, ...models], model)}
          onChange={chooseModel}
          disabled={change.isRunning}
        />
      )}
      {detail !== null && <Notice>{detail}</Notice>}
      {change.error !== null && <Notice kind="error">{change.error}</Notice>}
    </>
  )
}

function Disconnect({ site, onDone }: { site: AdminSite; onDone: () => void }) {
  const { client } = useStore()
  const [isAsking, setAsking] = useState(false)
  const removal = useAction()
  const remove = async (): Promise<void> => {
    const path = `sites?origin=${encodeURIComponent(site.origin)}`
    if (await removal.run(() => client.remove(path, adminRemoved))) onDone()
  }
  if (!isAsking)
    return (
      <Button
        look="danger"
        onClick={() => {
          setAsking(true)
        }}
      >
        Disconnect
      </Button>
    )
  return (
    <div className="confirm">
      <p>Disconnect {siteName(site.origin)}? Its conversations end now. It has to ask again to come back.</p>
      {removal.error !== null && <Notice kind="error">{removal.error}</Notice>}
      <div className="row">
        <Button
          onClick={() => {
            setAsking(false)
          }}
        >
          Keep it
        </Button>
        <Button look="danger" isBusy={removal.isRunning} onClick={() => void remove()} autoFocus>
          Disconnect
        </Button>
      </div>
    </div>
  )
}

export function SiteView({ site, onBack }: { site: AdminSite; onBack: () => void }) {
  const { client } = useStore()
  const usage = useWindow((state) => state.usage)
  const limits = useWindow((state) => state.limits)
  const days = useMemo(() => daysOf(usage, site.origin), [usage, site.origin])
  const today = days[0]
  const own = limits.find(({ origin }) => origin === site.origin)
  return (
    <section aria-labelledby="site-title">
      <Button look="quiet" onClick={onBack}>
        ‹ Sites
      </Button>
      <h1 id="site-title">{site.app ?? siteName(site.origin)}</h1>
      <p className="lead">
        {siteName(site.origin)} · connected {since(site.createdAt)}
      </p>
      <div className="panel">
        <h2>AI</h2>
        <SiteAi site={site} />
      </div>
      <div className="panel">
        <h2>Use</h2>
        {today === undefined || days.every(({ turns }) => turns === 0) ? (
          <p className="hint">It has asked nothing yet.</p>
        ) : (
          <UsageChart days={days} today={today.day} />
        )}
        <LimitsForm
          key={JSON.stringify(own)}
          limits={own}
          onSave={(next) => client.post('limits', { body: { origin: site.origin, ...next }, schema: adminLimits })}
        />
      </div>
      <div className="panel">
        <h2>Connection</h2>
        <Disconnect site={site} onDone={onBack} />
      </div>
    </section>
  )
}
