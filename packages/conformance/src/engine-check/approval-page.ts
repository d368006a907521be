/** The visitor's click on the engine's own approval page, made by a program (Pairing, the CLI engine). */
import { seen, send } from '../wire-http.js'
import { holds } from '../report/observe.js'

/**
 * Answers the question at this address as its page does: from the engine's own origin, with whatever key the address carries.
 * @throws when the engine doesn't take the answer
 */
export async function answerOnApprovalPage(approveUrl: string, allow: boolean): Promise<void> {
  const page = new URL(approveUrl)
  const body = { ...Object.fromEntries(page.searchParams), allow }
  const answer = await send(new URL(`${page.pathname}/decide`, page), { origin: page.origin, body })
  holds(answer.status === 200, seen(answer))
}
