/** A site's address as people type it. */
import { type Origin, parseOrigin } from '@leuria/protocol'
import { UserError } from './fail.js'

/** `https://` may be left out. @throws UserError when it is no site */
export function readOrigin(text: string): Origin {
  const origin = parseOrigin(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`)
  if (origin === null) throw new UserError(`"${text}" is not a site's address like https://shop.example.`)
  return origin
}
