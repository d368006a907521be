/** What a screen reader should hear of a conversation: whole sentences as they are finished, calls, and how it ended. Pure. */
import { isOpen, type Answer, type ChatState } from './chat-state.js'
import { callWords } from '../tools/call-words.js'

export interface Speaker {
  /** Says what is new since the last time. */
  hear(state: ChatState): void
}

const END_WORDS = { stopped: 'Stopped.', failed: 'The answer failed.' } as const

export function createSpeaker(say: (text: string) => void): Speaker {
  let answerId = -1
  let spokenLength = 0
  let spokenCalls = 0
  let spokenNotice: string | undefined
  let hasEnded = true

  const speakText = (answer: Answer, isLast: boolean): void => {
    const text = answer.parts.map((part) => (part.kind === 'text' ? part.text : '\n')).join('')
    const rest = text.slice(spokenLength)
    const ready = isLast ? rest.length : lengthOfSentences(rest)
    if (rest.slice(0, ready).trim() !== '') say(rest.slice(0, ready).trim())
    spokenLength += ready
  }
  const speakCalls = (answer: Answer): void => {
    const calls = answer.parts.filter((part) => part.kind === 'call')
    for (const call of calls.slice(spokenCalls)) say(`${callWords(call.tool, call.args).doing}.`)
    spokenCalls = calls.length
  }
  return {
    hear({ items }) {
      const answer = items.at(-1)
      if (answer?.kind !== 'answer') return
      if (answer.id !== answerId) {
        answerId = answer.id
        spokenLength = 0
        spokenCalls = 0
        spokenNotice = undefined
        hasEnded = false
      }
      if (hasEnded) return
      speakCalls(answer)
      speakText(answer, !isOpen(answer))
      if (isOpen(answer)) {
        if (answer.notice !== undefined && answer.notice !== spokenNotice) say(answer.notice)
        spokenNotice = answer.notice
        return
      }
      hasEnded = true
      if (answer.status !== 'done') say(END_WORDS[answer.status === 'stopped' ? 'stopped' : 'failed'])
      if (answer.notice !== undefined) say(answer.notice)
    },
  }
}

/** Up to the end of the last whole sentence or line. */
function lengthOfSentences(text: string): number {
  const ends = [...text.matchAll(/[.!?…。！？:](?=\s)|\n/gu)]
  const last = ends.at(-1)
  return last === undefined ? 0 : last.index + last[0].length
}
