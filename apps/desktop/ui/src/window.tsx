/** The whole window: where one is, what is asked right now, and the view of it. */
import { type ComponentType, useState } from 'react'
import { ActivityIcon, AiIcon, SettingsIcon, SitesIcon } from './parts/icons.js'
import { Notice } from './parts/notice.js'
import { useWindow } from './state/use-window.js'
import { ActivityView } from './views/activity-view.js'
import { AisView } from './views/ais-view.js'
import { FirstRun } from './views/first-run.js'
import { QuestionDialog } from './views/question-dialog.js'
import { SettingsView } from './views/settings-view.js'
import { SitesView } from './views/sites-view.js'

type Place = 'sites' | 'ais' | 'activity' | 'settings'

const PLACES: readonly { place: Place; label: string; Icon: ComponentType }[] = [
  { place: 'sites', label: 'Sites', Icon: SitesIcon },
  { place: 'ais', label: 'Your AIs', Icon: AiIcon },
  { place: 'activity', label: 'Activity', Icon: ActivityIcon },
  { place: 'settings', label: 'Settings', Icon: SettingsIcon },
]

function Rail({ place, onGo }: { place: Place | null; onGo: (place: Place) => void }) {
  const status = useWindow((state) => state.status)
  const warnings = useWindow((state) => state.warnings)
  return (
    <header className="rail">
      <p className="brand">Leuria</p>
      <nav aria-label="Leuria">
        {PLACES.map(({ place: each, label, Icon }) => (
          <button
            key={each}
            type="button"
            aria-current={each === place ? 'page' : undefined}
            onClick={() => {
              onGo(each)
            }}
          >
            <Icon />
            {label}
            {each === 'settings' && warnings.length > 0 && (
              <span className="dot" role="img" aria-label="something new" />
            )}
          </button>
        ))}
      </nav>
      {status !== null && (
        <p className="rail-status">
          <span className={status.agent.ready ? 'dot dot-good' : 'dot dot-bad'} aria-hidden="true" />
          {status.agent.name}
          <span className="hint">{status.agent.ready ? 'ready' : 'not ready'}</span>
        </p>
      )}
    </header>
  )
}

/** The site whose settings are open, by a click or by a `leuria://site` link. */
export interface WindowProps {
  site: string | null
  onSite: (origin: string | null) => void
}

export function Window({ site, onSite }: WindowProps) {
  const [place, setPlace] = useState<Place>('sites')
  const [isPastFirstRun, setPastFirstRun] = useState(false)
  const isConnected = useWindow((state) => state.isConnected)
  const status = useWindow((state) => state.status)
  const question = useWindow((state) => state.questions[0])
  const isFirstRun = !isPastFirstRun && status !== null && status.agent.id === 'demo' && status.sites === 0
  const shown = site === null ? place : 'sites'
  return (
    <>
      <Rail
        place={isFirstRun ? null : shown}
        onGo={(next) => {
          onSite(null)
          setPlace(next)
          setPastFirstRun(true)
        }}
      />
      <main>
        {!isConnected && <Notice>{status === null ? 'Leuria is starting …' : 'Leuria is starting again …'}</Notice>}
        {status !== null && isFirstRun ? (
          <FirstRun
            onDone={() => {
              setPastFirstRun(true)
              setPlace('ais')
            }}
          />
        ) : (
          <>
            {shown === 'sites' && <SitesView open={site} onOpen={onSite} />}
            {shown === 'ais' && <AisView />}
            {shown === 'activity' && <ActivityView />}
            {shown === 'settings' && <SettingsView />}
          </>
        )}
      </main>
      {question !== undefined && <QuestionDialog key={question.requestId} question={question} />}
    </>
  )
}
