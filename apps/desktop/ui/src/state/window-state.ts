/** What the window shows: one immutable snapshot, and which parts of it an event makes stale. Pure. */
import type {
  AdminActivity,
  AdminAgentList,
  AdminAi,
  AdminEvent,
  AdminPairing,
  AdminSite,
  AdminStatus,
} from '@leuria/protocol'
import type { Embeddings, Provider, SiteLimits, Usage } from './part-types.js'

/** What takes long, as it goes on, by AI. */
export interface Progress {
  readonly stage: 'install' | 'signin' | 'check'
  readonly message: string
  readonly id?: string | undefined
  readonly receivedBytes?: number | undefined
  readonly totalBytes?: number | undefined
}

export interface WindowState {
  readonly isConnected: boolean
  /** `null`: not read yet. */
  readonly status: AdminStatus | null
  readonly questions: readonly AdminPairing[]
  readonly sites: readonly AdminSite[] | null
  readonly ais: readonly AdminAi[] | null
  readonly agents: AdminAgentList | null
  readonly providers: readonly Provider[] | null
  readonly embeddings: Embeddings | null
  readonly limits: readonly SiteLimits[]
  readonly usage: Usage | null
  /** Live sessions: their origin and status. */
  readonly sessions: ReadonlyMap<string, { readonly origin: string; readonly status: string }>
  /** Newest first; at most `MOST_ACTIVITY`. */
  readonly activity: readonly AdminActivity[]
  readonly progress: Progress | null
  /** To be opened in the visitor's own browser. */
  readonly signInUrl: string | null
  readonly warnings: readonly { readonly at: string; readonly message: string }[]
}

/** Older lines are read from the log when somebody scrolls there. */
export const MOST_ACTIVITY = 200

/** As many as the engine keeps. */
export const MOST_WARNINGS = 20

export const NOTHING_YET: WindowState = {
  isConnected: false,
  status: null,
  questions: [],
  sites: null,
  ais: null,
  agents: null,
  providers: null,
  embeddings: null,
  limits: [],
  usage: null,
  sessions: new Map(),
  activity: [],
  progress: null,
  signInUrl: null,
  warnings: [],
}

/** The parts that are read from the engine. */
export const PARTS = ['status', 'sites', 'ais', 'agents', 'providers', 'embeddings', 'limits', 'usage', 'log'] as const
export type Part = (typeof PARTS)[number]

/** What has to be read anew after an event; the event itself says all of the rest. */
export const STALE: Readonly<Record<AdminEvent['event'], readonly Part[]>> = {
  open: PARTS,
  reset: PARTS,
  pairing: [],
  pairing_decided: [],
  pairing_expired: [],
  site: ['sites', 'status'],
  agent: ['ais', 'agents', 'status'],
  model: ['ais', 'agents'],
  embed: ['embeddings'],
  ais: ['ais', 'agents', 'providers', 'embeddings', 'status'],
  agent_state: ['ais'],
  progress: [],
  signin_url: [],
  session: [],
  usage: [],
  limits: [],
  activity: [],
  warning: [],
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'cancelled', 'failed'])

/** The snapshot after an event. The same object when it changes nothing. */
export function applyEvent(state: WindowState, event: AdminEvent): WindowState {
  switch (event.event) {
    case 'pairing': {
      const { event: _, ...question } = event
      const isKnown = state.questions.some(({ requestId }) => requestId === event.requestId)
      // In its place: what is shown must not turn into another site's question under somebody's hand.
      const questions = isKnown
        ? state.questions.map((each) => (each.requestId === event.requestId ? question : each))
        : [...state.questions, question]
      return { ...state, questions }
    }
    case 'pairing_decided':
    case 'pairing_expired':
      return { ...state, questions: state.questions.filter(({ requestId }) => requestId !== event.requestId) }
    case 'session':
      return { ...state, sessions: applySession(state.sessions, event) }
    case 'usage':
      return state.usage === null ? state : { ...state, usage: withToday(state.usage, event) }
    case 'limits':
      return { ...state, limits: event.limits }
    case 'activity': {
      const { event: _, ...line } = event
      return { ...state, activity: [line, ...state.activity].slice(0, MOST_ACTIVITY) }
    }
    case 'progress':
      return { ...state, progress: event.step === 'done' ? null : event }
    case 'signin_url':
      return { ...state, signInUrl: event.url }
    case 'warning':
      return { ...state, warnings: [...state.warnings, { at: event.at, message: event.message }].slice(-MOST_WARNINGS) }
    case 'reset':
    case 'open':
      return { ...state, sessions: new Map() }
    default:
      return state
  }
}

function applySession(
  sessions: WindowState['sessions'],
  { sessionId, origin, status }: Extract<AdminEvent, { event: 'session' }>,
): WindowState['sessions'] {
  const next = new Map(sessions)
  if (ENDED.has(status)) next.delete(sessionId)
  else next.set(sessionId, { origin, status })
  return next
}

/** Today's figures replace those that were read; a new day comes first. */
function withToday(usage: Usage, { day, sites }: Extract<AdminEvent, { event: 'usage' }>): Usage {
  const [first, ...older] = usage.days
  const today = { ...(first?.day === day ? first : {}), day, sites }
  return { ...usage, days: first === undefined || first.day === day ? [today, ...older] : [today, ...usage.days] }
}
