/** Asks whether a Leuria listens on a port of this computer. */
import { healthReply, parseBody } from '@leuria/protocol'

/** A program that is there answers at once; one that hangs isn't worth waiting for. */
const ASK_LIMIT_MS = 1_500

/** `null`: no Leuria answers there. */
export async function askLeuria(port: number): Promise<string | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, {
      signal: AbortSignal.timeout(ASK_LIMIT_MS),
      redirect: 'error',
    })
    const health = parseBody(healthReply, await answer.json())
    return `Leuria ${health.leuria} is running there already, with ${health.agent}`
  } catch {
    return null
  }
}
