/** The port that the visitor chose: as typed, and outside of a command's flags. */
import { UserError } from './fail.js'

/** A port as typed; 0 takes a free one. `null`: it is none. */
export function parsePort(text: string): number | null {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : null
}

/** `LEURIA_PORT`, when it is set. @throws UserError when it is no port */
export function portFromEnvironment(): number | undefined {
  const text = process.env.LEURIA_PORT
  if (text === undefined || text === '') return undefined
  const port = parsePort(text)
  if (port === null) throw new UserError(`LEURIA_PORT is "${text}". A port is a number from 0 to 65535.`)
  return port
}
