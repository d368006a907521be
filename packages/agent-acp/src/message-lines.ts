/**
 * What an agent writes on stdout → JSON-RPC messages, one a line (ACP, Transports: stdio).
 * Agents break the rule: whatever isn't a message is noise and handed to `noise`; a line over the limit is dropped.
 */

/** A JSON-RPC message as far as it has been looked at. */
export type RawMessage = { readonly [key: string]: unknown }

export interface MessageLinesOptions {
  maxBytes: number
  /** A line that is no message, cut to what a log takes; or words about one that was dropped. */
  noise: (line: string) => void
}

/** Longest piece of a noisy line that is kept for the log. */
const MAX_NOISE_LENGTH = 500
const LINE_FEED = 0x0a

/** Cuts an agent's output into messages: take all that `next` gives after each `push`. No promise for a line. */
export class MessageLines {
  /** Bytes of a line that has no end yet. */
  #parts: Buffer[] = []
  #length = 0
  /** The rest of a line that is too long. */
  #dropping = false
  /** Whole lines that were not looked at; `null` for one that was too long. */
  #lines: (string | null)[] = []
  #at = 0

  constructor(private readonly options: MessageLinesOptions) {}

  /** Takes what was written. */
  push(chunk: Buffer): void {
    const { maxBytes } = this.options
    // Where none can be too long, all lines that are whole are taken at once.
    const fits = !this.#dropping && this.#length + chunk.length <= maxBytes
    let rest = chunk
    for (let end = fits ? rest.lastIndexOf(LINE_FEED) : rest.indexOf(LINE_FEED); end !== -1;) {
      this.#endLines(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      end = rest.indexOf(LINE_FEED)
    }
    if (this.#dropping || rest.length === 0) return
    this.#parts.push(rest)
    this.#length += rest.length
    if (this.#length > maxBytes) this.#drop()
  }

  /** Nothing more is written: the last line needs no line end. */
  end(): void {
    if (this.#length > 0) this.#endLines(Buffer.alloc(0))
  }

  /** The next message; what is none goes to `noise` on the way. `null`: no whole line is left. */
  next(): RawMessage | null {
    const { maxBytes, noise } = this.options
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at++]?.trim()
      if (line === undefined) noise(`A line of more than ${maxBytes} bytes was dropped.`)
      else {
        const message = parseMessage(line)
        if (message !== null) return message
        if (line !== '') noise(line.slice(0, MAX_NOISE_LENGTH))
      }
    }
    this.#lines = []
    this.#at = 0
    return null
  }

  /** A line that is complete now, with what came of it before; or several, none of them too long. */
  #endLines(bytes: Buffer): void {
    if (this.#dropping) this.#dropping = false
    else if (this.#length + bytes.length > this.options.maxBytes) this.#lines.push(null)
    else {
      // Nearly every line is whole in its chunk: it needs no copy.
      const whole = this.#parts.length === 0 ? bytes : Buffer.concat([...this.#parts, bytes])
      for (const line of whole.toString('utf8').split('\n')) this.#lines.push(line)
    }
    this.#parts = []
    this.#length = 0
  }

  #drop(): void {
    this.#parts = []
    this.#length = 0
    this.#dropping = true
    this.#lines.push(null)
  }
}

/** Log lines without a line end get glued to the message that follows: it is looked for behind them. */
function parseMessage(line: string): RawMessage | null {
  const start = line.indexOf('{"jsonrpc"')
  const text = start > 0 ? line.slice(start) : line
  if (!text.startsWith('{')) return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return start > 0 ? tryParse(line) : null
  }
  return asMessage(value) ?? (start > 0 ? tryParse(line) : null)
}

/** The line as a whole, for a message that quotes another. */
function tryParse(line: string): RawMessage | null {
  try {
    return asMessage(JSON.parse(line))
  } catch {
    return null
  }
}

function asMessage(value: unknown): RawMessage | null {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return null
  return typeof value.method === 'string' || 'id' in value ? value : null
}

function isRecord(value: unknown): value is RawMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
