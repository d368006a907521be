/** What an AI is asked in one turn. */
import type { Attachment } from '@leuria/protocol'

/** One turn's input: the site's text and what comes with it. */
export interface Prompt {
  text: string
  /** Up to 10, already checked. */
  attachments?: readonly Attachment[]
}
