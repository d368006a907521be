/** What a session is given and what it tells: its owner, its channel, the request to open an AI, its changes. */
import type { OpenOptions, PageTools } from '@leuria/agent'
import type { Origin, SessionStatus, StopReason } from '@leuria/protocol'
import type { TurnUsage } from './turn.js'

/** Who a session belongs to: a site, or a program on this computer. */
export type Owner = Origin | 'local'

/** The page's tool channel, as far as sessions need to know it. Opened at `prepare`, closed by the session. */
export interface SessionChannel {
  /** The blob that the page registers with (Page tools, Tokens). */
  readonly registrationToken: string
  readonly webmcpUrl: string
  readonly tools: PageTools
  /** True while the page's socket is there. */
  connected(): boolean
  /** The AI has got a prompt: per-turn budgets begin. */
  beginTurn?(): void
  /** The turn is over for the page: calls of it that still wait are pointless. */
  endTurn?(): void
  /** The session has ended. Called once. */
  close(reason: string): void
}

/** What the engine needs to open the session's AI; which AI that is, is the engine's business. */
export interface OpenRequest<Channel extends SessionChannel = SessionChannel> extends Omit<
  OpenOptions,
  'mcp' | 'model' | 'site'
> {
  owner: Owner
  channel: Channel
}

/** What has happened to a session, for feeds and budgets. */
export type SessionChange =
  | { kind: 'status'; sessionId: string; owner: Owner; status: SessionStatus }
  /** A turn has begun; the AI gets the prompt once it is up and has settled. */
  | { kind: 'turn_started'; sessionId: string; owner: Owner }
  /** A turn is over, however it ended. */
  | {
      kind: 'turn_ended'
      sessionId: string
      owner: Owner
      /** `failed`: it could not be carried out. `interrupted`: the session ended in the middle of it. */
      outcome: StopReason | 'failed' | 'interrupted'
      durationMs: number
      promptChars: number
      textChars: number
      /** From the AI's own figures; `null`: it gave none. */
      usage: TurnUsage | null
    }
  /** It can't be read any more. */
  | { kind: 'forgotten'; sessionId: string; owner: Owner }
