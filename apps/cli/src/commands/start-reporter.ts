/** Where `leuria start` prints: plain words for people, or JSON lines on stdout for a program with the words on stderr. */
import type { ProcessEvent } from '@leuria/protocol'

export interface Reporter {
  /** One object a line with `--json`; nothing without. */
  event: (event: ProcessEvent) => void
  say: (text: string) => void
  /** From here on words go there: a view that redraws itself must not be written into. `null`: as before. */
  redirect: (say: ((text: string) => void) | null) => void
}

export function createReporter(asJson: boolean): Reporter {
  const output = asJson ? process.stderr : process.stdout
  let elsewhere: ((text: string) => void) | null = null
  return {
    event: (event) => {
      if (asJson) process.stdout.write(`${JSON.stringify(event)}\n`)
    },
    say: (text) => {
      if (elsewhere === null) output.write(`${text}\n`)
      else elsewhere(text)
    },
    redirect: (say) => {
      elsewhere = say
    },
  }
}
