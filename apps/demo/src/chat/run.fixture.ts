/** For the chat's tests: an SDK conversation with an AI that a test plays by hand. */
import { BaseProvider, createLeuria, type ConversationOptions, type Conversation as Talk } from '@leuria/client'
import type { ProviderSession, RunEvent, TurnContext } from '@leuria/client'

type Unstamped<Event> = Event extends RunEvent ? Omit<Event, 'turnId' | 'at'> : never
export type EventBody = Unstamped<RunEvent>

/** One turn, from the AI's side. */
export interface PlayedTurn {
  readonly text: string
  readonly context: TurnContext
  end: () => void
  fail: (error: Error) => void
}

export class PlayedAi extends BaseProvider {
  readonly turns: PlayedTurn[] = []
  sessions = 0

  constructor() {
    super('played', 'Played AI', 'device', { status: 'ready', capabilities: ['chat', 'tools'] })
  }
  async detect(): Promise<void> {
    // It is always there.
  }
  async createSession(): Promise<ProviderSession> {
    this.sessions += 1
    return {
      send: (message, context) =>
        new Promise((resolve, reject) => {
          const part = message.parts.find(({ type }) => type === 'text')
          const end = (): void => {
            resolve({ text: '' })
          }
          context.signal.addEventListener('abort', end)
          this.turns.push({ text: part?.type === 'text' ? part.text : '', context, end, fail: reject })
        }),
      close: () => undefined,
    }
  }
}

export function playedTalk(options: ConversationOptions = {}): { ai: PlayedAi; talk: Talk } {
  const ai = new PlayedAi()
  return { ai, talk: createLeuria({ providers: [ai], autoDetect: false }).conversation(options) }
}
