/** The live view of a running engine in a terminal: joins what the engine tells with the lines and the screen. */
import type { AuditEntry } from '@leuria/agent'
import type { Clock } from '@leuria/clock'
import { type Engine, ENGINE_VERSION } from '@leuria/engine'
import pc from 'picocolors'
import { StatusBook } from './status-book.js'
import { type Status, statusLines } from './status-lines.js'
import { openStatusScreen, type StatusScreen } from './status-screen.js'

export interface StatusView extends Pick<StatusScreen, 'print'> {
  /** An entry of the visitor's log. */
  entry(entry: AuditEntry, at: Date): void
  /** Leaves the last state on the screen. */
  end(): void
}

/** The caller ends it before the engine closes. */
export function openStatusView(
  engine: Engine,
  { output, clock }: { output: NodeJS.WriteStream; clock: Clock },
): StatusView {
  const book = new StatusBook()
  const status = (): Status => ({
    url: engine.url,
    version: ENGINE_VERSION,
    agent: engine.agentName,
    connected: engine.grants.list().length,
    sites: book.sites(),
    questions: engine.pairing.pending().map(({ origin }) => origin),
    happenings: book.happenings,
  })
  const screen = openStatusScreen({ output, clock, lines: () => statusLines(status(), pc) })
  const undo = [
    engine.sessions.subscribe((change) => {
      book.session(change)
      screen.changed()
    }),
    engine.grants.subscribe(screen.changed),
    engine.pairing.subscribe(screen.changed),
    engine.subscribe(screen.changed),
  ]
  return {
    print: screen.print,
    entry(entry, at) {
      book.entry(entry, at)
      screen.changed()
    },
    end() {
      for (const each of undo) each()
      screen.end()
    },
  }
}
