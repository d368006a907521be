/** What an order by e-mail comes down to: the shape that the AI is asked for, and the typed value that the form gets. */
import { COLOURS, type Colour } from '../shop/catalogue.js'

export interface OrderLine {
  readonly quantity: number
  readonly mug: string
  readonly colour?: Colour
}

export interface OrderForm {
  readonly from: string
  readonly email: string
  /** `2026-12-04`; empty: the mail doesn't say. */
  readonly deliverBy: string
  readonly giftWrap: boolean
  readonly note: string
  readonly mugs: readonly OrderLine[]
}

/** Everything may be left out: an e-mail says what it says. */
export const ORDER_SCHEMA = {
  type: 'object',
  properties: {
    from: { type: 'string', description: 'Name of whoever orders' },
    email: { type: 'string', format: 'email' },
    deliverBy: { type: 'string', format: 'date', description: 'Date the mugs are needed by, as YYYY-MM-DD' },
    giftWrap: { type: 'boolean' },
    note: { type: 'string', description: 'Anything else that matters' },
    mugs: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        properties: {
          quantity: { type: 'integer', minimum: 1, maximum: 99 },
          colour: { enum: [...COLOURS] },
          mug: { type: 'string', description: 'Which mug, in the words of the mail' },
        },
        required: ['quantity'],
      },
    },
  },
} as const

/** Runs after the schema: what fits it becomes a value with types. @throws what the AI is told once */
export function readOrder(value: unknown): OrderForm {
  const fields = fieldsOf(value)
  const lines = Array.isArray(fields.mugs) ? fields.mugs.map(readLine) : []
  return {
    from: textOf(fields.from),
    email: textOf(fields.email),
    deliverBy: dayOf(fields.deliverBy),
    giftWrap: fields.giftWrap === true,
    note: textOf(fields.note),
    mugs: lines,
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value))
  throw new Error('The order must be an object.')
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

function dayOf(value: unknown): string {
  const day = textOf(value)
  if (day !== '' && (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))) {
    throw new Error(`deliverBy must be a calendar day such as 2026-12-04, not ${day}.`)
  }
  return day
}

function readLine(value: unknown): OrderLine {
  const { quantity, mug, colour } = fieldsOf(value)
  if (typeof quantity !== 'number') throw new Error('Each mug needs a quantity.')
  const known = COLOURS.find((one) => one === colour)
  return { quantity, mug: textOf(mug), ...(known === undefined ? {} : { colour: known }) }
}
