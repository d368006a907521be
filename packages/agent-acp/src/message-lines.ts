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

/** Ends when the input does; the last line needs no line end. */
export async function* readMessages(
  input: AsyncIterable<Buffer>,
  { maxBytes, noise }: MessageLinesOptions,
): AsyncGenerator<RawMessage> {
  for await (const line of readLines(input, maxBytes)) {
    if (line === null) {
      noise(`A line of more than ${maxBytes} bytes was dropped.`)
      continue
    }
    const message = parseMessage(line)
    if (message !== null) yield message
    else if (line !== '') noise(line.slice(0, MAX_NOISE_LENGTH))
  }
}

/** Trimmed lines; `null` for one that was too long. */
async function* readLines(input: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string | null> {
  let parts: Buffer[] = []
  let length = 0
  let dropping = false
  const take = (rest: Buffer): string => {
    // Nearly every line is whole in its chunk: it needs no copy.
    const bytes = parts.length === 0 ? rest : Buffer.concat([...parts, rest])
    const line = bytes.toString('utf8').trim()
    parts = []
    length = 0
    return line
  }
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end)
      start = end + 1
      if (dropping) dropping = false
      else if (length + rest.length > maxBytes) {
        take(rest)
        yield null
      } else yield take(rest)
    }
    if (dropping || start === chunk.length) continue
    parts.push(chunk.subarray(start))
    length += chunk.length - start
    if (length <= maxBytes) continue
    parts = []
    length = 0
    dropping = true
    yield null
  }
  if (length > 0) yield take(Buffer.alloc(0))
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
