/** An agent's stderr as lines for the log: bounded in length and in number, the session's secret taken out. */
import type { Readable } from 'node:stream'
import type { Clock } from '@leuria/clock'
import { plainWords } from './plain-words.js'

/** Longest line that is passed on; stack traces and progress bars are longer, nobody reads that. */
const MAX_LINE_LENGTH = 2_000
/** Most lines in one second: a program in a loop must not fill the page's stream. */
const MAX_LINES_A_SECOND = 100

/** Writes lines with both bounds kept; what was left out is counted and said. */
export class LogLines {
  readonly #clock: Clock
  readonly #write: (line: string) => void
  readonly #secrets: readonly string[]
  #second = -1
  #written = 0
  #left = 0

  constructor(options: { clock: Clock; write: (line: string) => void; secrets: readonly string[] }) {
    this.#clock = options.clock
    this.#write = options.write
    this.#secrets = options.secrets.filter((secret) => secret !== '')
  }

  line(text: string): void {
    const second = Math.floor(this.#clock.now() / 1_000)
    if (second !== this.#second) this.#begin(second)
    if (this.#written >= MAX_LINES_A_SECOND) {
      this.#left += 1
      return
    }
    this.#written += 1
    // Words first: a secret with a colour in it is one still.
    const clean = this.#secrets.reduce((line, secret) => line.replaceAll(secret, '•••'), plainWords(text))
    this.#write(clean.length > MAX_LINE_LENGTH ? `${clean.slice(0, MAX_LINE_LENGTH)}…` : clean)
  }

  #begin(second: number): void {
    this.#second = second
    this.#written = 0
    if (this.#left > 0) this.#write(`(${this.#left} more lines were left out)`)
    this.#left = 0
  }
}

/** Follows the stream until it ends. Never rejects. */
export function followStderr(stderr: Readable, line: (text: string) => void): void {
  let rest = ''
  stderr.setEncoding('utf8')
  stderr.on('error', () => undefined)
  stderr.on('data', (chunk: string) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    for (const text of lines) if (text.trim() !== '') line(text.trimEnd())
    if (rest.length <= MAX_LINE_LENGTH) return
    line(rest)
    rest = ''
  })
  stderr.on('end', () => {
    if (rest.trim() !== '') line(rest.trimEnd())
  })
}
