/** A conversation about one picture: it goes along with the first question, and the AI remembers it for the next ones. */
import type { ChatRun, Conversation, FileInput, Leuria } from '@leuria/client'

const SYSTEM = 'You answer questions about a picture that a visitor shows you. Be brief, and say what you can’t see.'

export interface PictureTalk {
  readonly talk: Conversation
  /** Another picture: what was said before was about the old one. */
  show: (picture: FileInput) => void
  /** Asks about the picture. */
  ask: (question: string) => ChatRun
}

export function createPictureTalk(leuria: Pick<Leuria, 'conversation'>): PictureTalk {
  const talk = leuria.conversation({ system: SYSTEM })
  let picture: FileInput | null = null
  return {
    talk,
    show(next) {
      picture = next
      talk.reset()
    },
    ask(question) {
      const isFirst = talk.getState().messages.length === 0
      return talk.send({ content: question, files: isFirst && picture !== null ? [picture] : [] })
    },
  }
}
