/** Where `leuria start` prints: plain words for people, or JSON lines on stdout for a program with the words on stderr. */
import type { ProcessEvent } from '@leuria/protocol'

export interface Reporter {
  /** One object a line with `--json`; nothing without. */
  event: (event: ProcessEvent) => void
  say: (text: string) => void
}

export function createReporter(asJson: boolean): Reporter {
  if (!asJson) return { event: () => undefined, say: (text) => void process.stdout.write(`${text}\n`) }
  return {
    event: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
    say: (text) => void process.stderr.write(`${text}\n`),
  }
}
