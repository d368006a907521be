/** Attachments of a prompt (Sessions, Attachments): images as base64, text files as text. */
import * as z from 'zod/mini'

/** Longest attachment name that is kept, in characters; the rest is cut, never refused. */
const MAX_NAME_LENGTH = 200

const nameField = z.pipe(
  z.string(),
  z.transform((name) => name.slice(0, MAX_NAME_LENGTH)),
)

/** Base64 with or without padding, in whole groups. Checked without decoding: an image may have megabytes. */
export function isBase64(text: string): boolean {
  const body = text.replace(/={1,2}$/, '')
  return (
    text.length > 0 &&
    body.length % 4 !== 1 &&
    (body === text || text.length % 4 === 0) &&
    /^[A-Za-z0-9+/]+$/.test(body)
  )
}

export const imageAttachment = z.object({
  type: z.literal('image'),
  mimeType: z.string().check(z.regex(/^image\/[a-z0-9.+-]+$/i, 'mimeType must begin with image/')),
  data: z.string().check(z.refine(isBase64, 'data must be base64')),
  name: z.optional(nameField),
})

export const textAttachment = z.object({
  type: z.literal('text'),
  text: z.string(),
  name: z.optional(nameField),
  mimeType: z.optional(z.string()),
})

export const attachment = z.discriminatedUnion('type', [imageAttachment, textAttachment])
export type ImageAttachment = z.infer<typeof imageAttachment>
export type TextAttachment = z.infer<typeof textAttachment>
export type Attachment = z.infer<typeof attachment>
