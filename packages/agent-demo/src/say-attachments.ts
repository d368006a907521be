/** What this AI says of attachments: that it can't look at them, and the little that can be told without looking. */
import type { Prompt } from '@leuria/agent'
import { readPicture } from './picture-size.js'
import { joinWords } from './say-help.js'

type Attachment = NonNullable<Prompt['attachments']>[number]

/** Most pictures that are told of; a message has ten attachments at most. */
const MAX_TOLD = 10

/** An empty text without attachments; else a paragraph that ends with an empty line. */
export function sayAttachments(attachments: readonly Attachment[] = []): string {
  if (attachments.length === 0) return ''
  const pictures = attachments.filter((attachment) => attachment.type === 'image')
  if (pictures.length < attachments.length) return 'I can’t look at attachments: I have no model.\n\n'
  const sizes = pictures.slice(0, MAX_TOLD).flatMap(({ data }) => {
    const facts = readPicture(data)
    return facts === null ? [] : [`a ${facts.kind} of ${facts.width} × ${facts.height} pixels`]
  })
  const told = sizes.length === 0 ? '' : ` All I can tell without looking: it is ${joinWords(sizes)}.`
  return `I can’t look at pictures: I have no model.${told}\n\n`
}
