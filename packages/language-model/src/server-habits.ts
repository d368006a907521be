/** Which part of a request a server's complaint is about, so that the request can be sent again without it. */
import type { ChatRequest } from './chat-model.js'
import type { ServerHabits } from './openai-request.js'
import type { UpstreamError } from './upstream-error.js'

interface Complaint {
  habit: keyof ServerHabits
  words?: string
  /** The server's own words for it. */
  heard: RegExp
  /** The request had it at all. */
  sent: (request: ChatRequest) => boolean
}

/** In the order they are tried: the narrower words first. */
const COMPLAINTS: readonly Complaint[] = [
  { habit: 'usage', heard: /stream_options|include_usage/i, sent: () => true },
  {
    habit: 'images',
    words: "This model can't see images; it is told so.",
    heard: /image|vision|multimodal|mmproj|image_url/i,
    sent: ({ messages }) =>
      messages.some((message) => message.role === 'user' && message.parts.some((part) => part.type === 'image')),
  },
  {
    habit: 'tools',
    words: "This model can't use the page's tools.",
    heard:
      /(does not|doesn't|don't|not) support(ed)?\b.{0,40}\b(tool|function)|(tool|function)s?\b.{0,60}(not supported|unsupported|not enabled|requires --)|endpoints? found that support tool/i,
    sent: ({ tools }) => tools.length > 0,
  },
  {
    habit: 'toolChoice',
    heard: /tool_choice/i,
    sent: ({ tools, toolChoice }) => tools.length > 0 && toolChoice === 'none',
  },
]

/** Statuses with which servers refuse what they don't know; llama.cpp says 500 for images. */
const REFUSALS = new Set([400, 404, 415, 422, 500, 501])

/** `null`: the error is about something else. */
export function missingHabit(error: UpstreamError, habits: ServerHabits, request: ChatRequest): Complaint | null {
  if (!REFUSALS.has(error.status)) return null
  const words = `${error.code} ${error.message}`
  return COMPLAINTS.find(({ habit, heard, sent }) => habits[habit] && sent(request) && heard.test(words)) ?? null
}
