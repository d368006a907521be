/**
 * Where the window gets the engine's address and token: asked once of whoever serves its files, with the one-time code in
 * the address. Neither is kept anywhere; a window that is loaded anew gets a new code from the program.
 */
import * as z from 'zod/mini'
import type { EngineConnection } from './admin-client.js'

const handover = z.looseObject({ url: z.string(), token: z.string() })

/** @throws Error in words for people */
export async function takeConnection(code: string): Promise<EngineConnection> {
  const answer = await fetch('./handover', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
    cache: 'no-store',
  })
  const parsed = handover.safeParse(await answer.json().catch(() => null))
  if (!answer.ok || !parsed.success)
    throw new Error('This window has been opened before. Close it and open Leuria again.')
  return parsed.data
}
