/** Our client against the kit: every clause of the protocol page's Conformance section has a test that is named by it. */
import { BridgeClient, type BridgeSession, LeuriaError } from '@leuria/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkClient, CLAUSES, type ClientPage, type ClientSession, type PageParts, type Report } from './index.js'

/** What the visitor would read of an error. */
function wordsOf(error: unknown): string {
  return error instanceof LeuriaError ? error.message : String(error)
}

function asSession(session: BridgeSession): ClientSession {
  return {
    prompt: (text) => session.prompt(text),
    close: () => session.close(),
    outcome: () => session.outcome,
    text: () => session.text,
  }
}

/** A page that uses `BridgeClient` as its README says. */
function openPage({ url, origin, storage, fetch, WebSocket, openLink }: PageParts): ClientPage {
  const hiding = new Set<() => void>()
  const page = {
    origin,
    runsLeuria: true,
    isVisible: true,
    openLink,
    storage: () => storage,
    openTabChannel: () => null,
    subscribe: (listener: (signal: 'hide') => void) => {
      const hide = (): void => {
        listener('hide')
      }
      hiding.add(hide)
      return () => hiding.delete(hide)
    },
  }
  const client = new BridgeClient({ url, page, fetch, WebSocket })
  const texts: string[] = []
  const note = (error: unknown): never => {
    texts.push(wordsOf(error))
    throw error
  }
  const sessions: BridgeSession[] = []
  client.subscribe(({ error }) => {
    if (error !== undefined) texts.push(error.message)
  })
  return {
    // The attempt goes on after the visitor was told that Leuria isn't running.
    connect: () => client.connect().catch(note),
    detect: () => client.detect(),
    async startSession({ prompt, tools }) {
      const declared = tools.map(({ name, description, run }) => ({ name, description, execute: run }))
      const session = await client.startSession({ prompt, tools: declared }).catch(note)
      sessions.push(session)
      return asSession(session)
    },
    status: () => {
      const { status } = client.getState()
      return status === 'checking' ? 'not-connected' : status
    },
    shown: () => [...texts, ...sessions.flatMap(({ error }) => (error === null ? [] : [error.message]))],
    leave: () => {
      for (const hide of hiding) hide()
    },
    close: () => {
      client.destroy()
    },
  }
}

describe('our client', () => {
  let report: Report
  beforeAll(async () => {
    report = await checkClient({ openPage, name: '@leuria/client' })
  }, 90_000)

  it.each(CLAUSES.filter(({ side }) => side === 'client').map(({ level, sentence, id }) => [level, sentence, id]))(
    'a client %s: %s',
    (_, __, id) => {
      expect(report.results.find(({ clause }) => clause.id === id)).toMatchObject({ status: 'passed' })
    },
  )

  it('passes 17 of 17', () => {
    expect(report).toMatchObject({ ok: true, passed: 17, failed: 0, notObservable: 0 })
  })
})
