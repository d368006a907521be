/** The admin token: handed over in the environment, and taken out of it before anything else can see it. */
import { MIN_ADMIN_TOKEN_LENGTH } from '@leuria/protocol'

/** Where the app puts it: environments aren't shown in process lists, unlike arguments. */
const VARIABLE = 'LEURIA_ADMIN_TOKEN'

export type TokenFound = { ok: true; token: string } | { ok: false; message: string }

/** Reads the token and removes it, so that no child process inherits it. Never puts it into a message. */
export function takeAdminToken(env: NodeJS.ProcessEnv): TokenFound {
  const token = env[VARIABLE]
  delete env[VARIABLE]
  if (token === undefined)
    return { ok: false, message: `${VARIABLE} is not set: this program is started by the Leuria app.` }
  if (token.length < MIN_ADMIN_TOKEN_LENGTH || /\s/.test(token)) {
    return { ok: false, message: `${VARIABLE} must have at least ${MIN_ADMIN_TOKEN_LENGTH} characters and no spaces.` }
  }
  return { ok: true, token }
}
