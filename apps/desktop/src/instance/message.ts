/** What a later start says to the program that runs: one JSON object on a line, and one line back. */
import * as z from 'zod/mini'

/** A link has 4,096 characters at most; what is longer is nobody's of ours. */
export const MAX_MESSAGE_CHARS = 16_384

export const instanceMessage = z.discriminatedUnion('do', [
  /** Come forward, and take the link if there is one. */
  z.object({ do: z.literal('open'), link: z.optional(z.string()) }),
  z.object({ do: z.literal('quit') }),
])
export type InstanceMessage = z.infer<typeof instanceMessage>

/** `null`: not one of ours. */
export function readMessage(line: string): InstanceMessage | null {
  try {
    const read = instanceMessage.safeParse(JSON.parse(line))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

export const DONE = 'done\n'
