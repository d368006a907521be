/** Free text in, a typed order out: one request with a schema. The SDK checks the answer, and has it mended once. */
import type { ChatRun, Leuria } from '@leuria/client'
import { ORDER_SCHEMA, readOrder, type OrderForm } from './order-form.js'

const SYSTEM = `You read orders that come to a small pottery by e-mail.
Give only what the mail says, in its own words. Leave out what it doesn't say; never guess.`

/** A minute is a long time for one e-mail. */
const TIME_LIMIT_MS = 60_000

export interface Reading {
  /** Stops it. */
  abort(): void
  readonly run: ChatRun<OrderForm>
  /** Rejects as the run does. */
  readonly order: Promise<OrderForm>
}

export function readMail(leuria: Pick<Leuria, 'chat'>, mail: string): Reading {
  const run = leuria.chat({
    prompt: mail,
    system: SYSTEM,
    schema: ORDER_SCHEMA,
    validate: readOrder,
    timeoutMs: TIME_LIMIT_MS,
  })
  return { run, abort: () => void run.abort(), order: run.object() }
}
