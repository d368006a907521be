/** The connected sites: who they are, how much they used lately; one of them with all its settings. */
import type { AdminSite } from '@leuria/protocol'
import { useMemo } from 'react'
import { UsageChart } from '../parts/usage-chart.js'
import { daysOf } from '../state/days-of.js'
import { useWindow } from '../state/use-window.js'
import { count, since, siteName } from '../words/site-words.js'
import { SiteView } from './site-view.js'

function SiteCard({ site, isOpen, onOpen }: { site: AdminSite; isOpen: boolean; onOpen: () => void }) {
  const usage = useWindow((state) => state.usage)
  const sessions = useWindow((state) => state.sessions)
  const talking = [...sessions.values()].filter(({ origin }) => origin === site.origin)
  const isAnswering = talking.some(({ status }) => status === 'running')
  const days = useMemo(() => daysOf(usage, site.origin), [usage, site.origin])
  const today = days[0]
  return (
    <li>
      <button type="button" className="card site-card" aria-current={isOpen} onClick={onOpen}>
        <span className="site-head">
          <strong>{site.app ?? siteName(site.origin)}</strong>
          {talking.length > 0 && (
            <span className={isAnswering ? 'tag tag-live' : 'tag'}>{isAnswering ? 'answering' : 'open'}</span>
          )}
        </span>
        <span className="site-origin">{siteName(site.origin)}</span>
        <span className="site-use">
          {today === undefined || today.turns === 0
            ? `Last used ${site.lastUsedAt === undefined ? 'never' : since(site.lastUsedAt)}`
            : `${count(today.turns, 'question')} today`}
        </span>
        {today !== undefined && <UsageChart days={days} today={today.day} />}
      </button>
    </li>
  )
}

interface SitesViewProps {
  /** The origin whose settings are open. */
  open: string | null
  onOpen: (origin: string | null) => void
}

export function SitesView({ open, onOpen }: SitesViewProps) {
  const sites = useWindow((state) => state.sites)
  const site = sites?.find(({ origin }) => origin === open)
  if (site !== undefined)
    return (
      <SiteView
        key={site.origin}
        site={site}
        onBack={() => {
          onOpen(null)
        }}
      />
    )
  return (
    <section aria-labelledby="sites-title">
      <h1 id="sites-title">Sites</h1>
      <p className="lead">These sites may ask your AI. You can take that back at any time.</p>
      {sites?.length === 0 && (
        <div className="empty">
          <p>No site is connected yet.</p>
          <p className="hint">
            Open a site that works with Leuria and press Connect there. Its question appears in this window.
          </p>
        </div>
      )}
      <ul className="cards">
        {sites?.map((each) => (
          <SiteCard
            key={each.origin}
            site={each}
            isOpen={each.origin === open}
            onOpen={() => {
              onOpen(each.origin)
            }}
          />
        ))}
      </ul>
    </section>
  )
}
