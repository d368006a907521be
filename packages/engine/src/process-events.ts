/** What the parts tell, as the process events that other programs read, and the window's. */
import type { PairingEvent } from '@leuria/pairing'
import type { AdminEvent, ProcessEvent } from '@leuria/protocol'

/** Where the visitor answers. The key in it is what lets the page decide: it goes to the visitor only. */
export function approveUrl(baseUrl: string, question: { requestId: string; key: string | null }): string {
  const page = `${baseUrl}/connect/${question.requestId}`
  return question.key === null ? page : `${page}?key=${question.key}`
}

type PairingLine = Extract<ProcessEvent, { event: 'pairing' | 'pairing_decided' }>

/** `null`: nothing that a program is told. */
export function toProcessEvent(event: PairingEvent, baseUrl: string): PairingLine | null {
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

/** The same, and the end of a question that nobody answered, for the window. */
export function toFeedEvent(event: PairingEvent, baseUrl: string): AdminEvent | null {
  if (event.kind !== 'expired') return toProcessEvent(event, baseUrl)
  return { event: 'pairing_expired', requestId: event.requestId, origin: event.origin }
}

/** What else of the window's feed other programs are told; questions come to them by themselves. */
const FOR_PROGRAMS = ['progress', 'signin_url', 'agent', 'model', 'embed', 'agent_state'] as const

type ForPrograms = Extract<AdminEvent, { event: (typeof FOR_PROGRAMS)[number] }>

export function isForPrograms(event: AdminEvent): event is ForPrograms {
  return FOR_PROGRAMS.some((name) => name === event.event)
}
