/** What goes on the window's feed: the changes of files, questions, sessions and AIs, as they happen. */
import type { CancelTimer, Clock } from '@leuria/clock'
import type { ConfigFile, Origin, ProvidersFile, SessionStatus, UsageDay } from '@leuria/protocol'
import type { GrantStore } from '@leuria/grant-store'
import type { JsonFile } from '@leuria/state'
import type { Usage } from '@leuria/usage'
import type { SessionChange } from '@leuria/session-manager'
import type { VisitorAis } from '../visitor-ais.js'
import type { EventFeed } from './event-feed.js'

/** Counts change with every turn; nobody reads figures faster than this. */
const USAGE_DELAY_MS = 2_000
/** How often services are looked at while a window is open, so that the window need not ask. */
const LOOK_AT_AIS_MS = 20_000

export interface FeedSources {
  clock: Clock
  config: JsonFile<ConfigFile>
  providers: JsonFile<ProvidersFile>
  grants: Pick<GrantStore, 'subscribe'>
  usage: Pick<Usage, 'days' | 'limits' | 'subscribeLimits'>
  sessions: { subscribe(listener: (change: SessionChange) => void): () => void }
  ais: VisitorAis
  /** The default AI's id and plain name. */
  defaultAgent: () => { id: string; name: string }
}

function isDifferent(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b)
}

function watchConfig(feed: EventFeed, { config, defaultAgent }: FeedSources): () => void {
  return config.subscribe((value, previous) => {
    if (value.agent !== previous.agent) feed.publish({ event: 'agent', ...defaultAgent() })
    const ids = new Set([...Object.keys(value.models ?? {}), ...Object.keys(previous.models ?? {})])
    for (const id of ids) {
      const model = value.models?.[id] ?? null
      if (model !== (previous.models?.[id] ?? null)) feed.publish({ event: 'model', id, model })
    }
    if (isDifferent(value.embed, previous.embed)) feed.publish({ event: 'embed', choice: value.embed ?? 'auto' })
    if (value.agent !== previous.agent || isDifferent(value.models, previous.models)) feed.publish({ event: 'ais' })
  })
}

/** `local` owners are shown, too. */
function tellStatus(feed: EventFeed, change: { sessionId: string; owner: Origin | 'local'; status: SessionStatus }) {
  feed.publish({ event: 'session', sessionId: change.sessionId, origin: change.owner, status: change.status })
}

/** Today's figures, some time after they began to change. */
function watchUsage(feed: EventFeed, { usage, sessions, clock }: FeedSources): () => void {
  let cancel: CancelTimer | null = null
  const tell = (): void => {
    cancel = null
    const today: UsageDay | undefined = usage.days()[0]
    if (today !== undefined) feed.publish({ event: 'usage', day: today.day, sites: today.sites })
  }
  const undo = sessions.subscribe((change) => {
    if (change.kind === 'status') tellStatus(feed, change)
    if (change.kind === 'turn_started' || change.kind === 'turn_ended') cancel ??= clock.setTimer(USAGE_DELAY_MS, tell)
  })
  return () => {
    undo()
    cancel?.()
  }
}

/** Looks only while somebody would see it. */
function watchAis(feed: EventFeed, { ais, clock }: FeedSources): () => void {
  let before = JSON.stringify(ais.list())
  let stopped = false
  const look = async (): Promise<void> => {
    if (feed.readers > 0) await ais.refresh()
    const now = JSON.stringify(ais.list())
    if (now !== before && !stopped) feed.publish({ event: 'ais' })
    before = now
  }
  let cancel: CancelTimer
  const later = (): void => {
    cancel = clock.setTimer(LOOK_AT_AIS_MS, () => {
      void look().finally(() => {
        if (!stopped) later()
      })
    })
  }
  later()
  return () => {
    stopped = true
    cancel()
  }
}

/** Listens for as long as the engine runs. Returns its undo. */
export function feedFrom(feed: EventFeed, sources: FeedSources): () => void {
  const undo = [
    watchConfig(feed, sources),
    watchUsage(feed, sources),
    watchAis(feed, sources),
    sources.providers.subscribe(() => {
      feed.publish({ event: 'ais' })
    }),
    sources.grants.subscribe(({ kind, origin }) => {
      feed.publish({ event: 'site', origin, change: kind })
    }),
    sources.usage.subscribeLimits(() => {
      feed.publish({ event: 'limits', limits: sources.usage.limits() })
    }),
  ]
  return () => {
    for (const each of undo) each()
  }
}
