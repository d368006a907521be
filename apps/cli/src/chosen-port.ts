/** The port that the visitor chose outside of a command's flags. */
import { UserError } from './fail.js'

/** `LEURIA_PORT`, when it is set. @throws UserError when it is no port */
export function portFromEnvironment(): number | undefined {
  const text = process.env.LEURIA_PORT
  if (text === undefined || text === '') return undefined
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UserError(`LEURIA_PORT is "${text}". A port is a number from 0 to 65535.`)
  return port
}
