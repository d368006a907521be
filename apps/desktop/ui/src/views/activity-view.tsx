/** What sites and AIs did, newest first, by day; older lines are read when they are wanted. */
import { type AdminActivity, adminLog } from '@leuria/protocol'
import { useMemo, useState } from 'react'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { Select } from '../parts/select.js'
import { useAction, useStore, useWindow } from '../state/use-window.js'
import { activityWords, isAlarming } from '../words/activity-words.js'
import { siteName } from '../words/site-words.js'

const ALL = ''
const PAGE = 100

function dayOf(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
}

/** Lines by day, in the order they come. */
export function byDay(lines: readonly AdminActivity[]): [string, AdminActivity[]][] {
  const days = new Map<string, AdminActivity[]>()
  for (const line of lines) days.set(dayOf(line.at), [...(days.get(dayOf(line.at)) ?? []), line])
  return [...days]
}

/** Lines older than those the window holds. */
function useOlder(newest: readonly AdminActivity[]) {
  const { client } = useStore()
  const [older, setOlder] = useState<readonly AdminActivity[]>([])
  const [next, setNext] = useState<string | null | undefined>(undefined)
  const loading = useAction()
  const lastId = newest.at(-1)?.id
  const before = next === undefined ? (typeof lastId === 'string' ? lastId : undefined) : next
  const load = (): void => {
    if (before == null) return
    void loading.run(async () => {
      const page = await client.get(`log?limit=${PAGE}&before=${encodeURIComponent(before)}`, adminLog)
      setOlder([...older, ...page.entries])
      setNext(page.next)
    })
  }
  return { older, canLoad: before != null, load, loading }
}

export function ActivityView() {
  const newest = useWindow((state) => state.activity)
  const [origin, setOrigin] = useState(ALL)
  const { older, canLoad, load, loading } = useOlder(newest)
  const lines = useMemo(() => [...newest, ...older], [newest, older])
  const origins = useMemo(() => [...new Set(lines.flatMap((line) => line.origin ?? []))].sort(), [lines])
  const shown = lines.filter((line) => origin === ALL || line.origin === origin)
  return (
    <section aria-labelledby="activity-title">
      <h1 id="activity-title">Activity</h1>
      <p className="lead">What sites and AIs did on this computer. Names only: what was said is never written down.</p>
      <Select
        label="Site"
        value={origin}
        options={[
          { value: ALL, label: 'All sites' },
          ...origins.map((each) => ({ value: each, label: siteName(each) })),
        ]}
        onChange={setOrigin}
      />
      {shown.length === 0 && <div className="empty">Nothing has happened yet.</div>}
      {byDay(shown).map(([day, entries]) => (
        <div key={day} className="panel">
          <h2>{day}</h2>
          <ol className="activity">
            {entries.map((line, at) => (
              <li key={`${line.at} ${at}`} className={isAlarming(line) ? 'alarming' : undefined}>
                <time dateTime={line.at}>
                  {new Date(line.at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })}
                </time>
                <span>
                  {line.origin !== undefined && <strong>{siteName(line.origin)}</strong>} {activityWords(line)}
                </span>
              </li>
            ))}
          </ol>
        </div>
      ))}
      {loading.error !== null && <Notice kind="error">{loading.error}</Notice>}
      {canLoad && (
        <Button isBusy={loading.isRunning} onClick={load}>
          Show older
        </Button>
      )}
    </section>
  )
}
