/** What the pairing machine tells, as the process events that other programs read. */
import type { PairingEvent } from '@leuria/pairing'
import type { ProcessEvent } from '@leuria/protocol'

/** Where the visitor answers. The key in it is what lets the page decide: it goes to the visitor only. */
export function approveUrl(baseUrl: string, question: { requestId: string; key: string | null }): string {
  const page = `${baseUrl}/connect/${question.requestId}`
  return question.key === null ? page : `${page}?key=${question.key}`
}

/** `null`: nothing that a program is told. */
export function toProcessEvent(event: PairingEvent, baseUrl: string): ProcessEvent | null {
  if (event.kind === 'expired') return null
  const { requestId, origin } = event
  if (event.kind === 'decided') return { event: 'pairing_decided', requestId, origin, allowed: event.allowed }
  return {
    event: 'pairing',
    requestId,
    origin,
    ...(event.app === undefined ? {} : { app: event.app }),
    ...(event.needs === undefined ? {} : { needs: event.needs }),
    approveUrl: approveUrl(baseUrl, event),
  }
}
