import { describe, expect, it } from 'vitest'
import {
  BaseProvider,
  createLeuria,
  StructuredOutputError,
  SUBMIT_TOOL,
  type ProviderSession,
  type SessionOptions,
} from '@leuria/client'
import { readOrder } from './order-form.js'
import { readMail } from './read-mail.js'

describe('an order', () => {
  it('becomes a value with every field', () => {
    expect(readOrder({})).toEqual({ from: '', email: '', deliverBy: '', giftWrap: false, note: '', mugs: [] })
    const mugs = [{ quantity: 2, mug: ' Oat ', colour: 'white' }, { quantity: 1 }]
    expect(readOrder({ from: 'Ada', deliverBy: '2026-12-04', giftWrap: true, mugs })).toMatchObject({
      from: 'Ada',
      deliverBy: '2026-12-04',
      giftWrap: true,
      mugs: [
        { quantity: 2, mug: 'Oat', colour: 'white' },
        { quantity: 1, mug: '' },
      ],
    })
  })

  it('stays the same when it is read again', () => {
    const order = readOrder({ from: 'Ada', mugs: [{ quantity: 2, mug: 'Oat', colour: 'pink' }] })
    expect(readOrder(order)).toEqual(order)
  })

  it.each([
    ['4 December', /calendar day/],
    ['2026-13-45', /calendar day/],
  ])('takes %s for no day', (deliverBy, words) => {
    expect(() => readOrder({ deliverBy })).toThrow(words)
  })

  it.each([[null], [[]], ['text'], [{ mugs: ['Oat'] }], [{ mugs: [{ mug: 'Oat' }] }]])('refuses %j', (value) => {
    expect(() => readOrder(value)).toThrow()
  })
})

/** Hands in what it is told to, one answer after the other until one is taken. */
class Clerk extends BaseProvider {
  options: SessionOptions | null = null
  constructor(readonly answers: unknown[]) {
    super('clerk', 'Clerk', 'device', { status: 'ready', capabilities: ['chat', 'tools'] })
  }
  async detect(): Promise<void> {
    // It is always there.
  }
  async createSession(options: SessionOptions): Promise<ProviderSession> {
    this.options = options
    return {
      send: async (_, { runTool }) => {
        for (const args of this.answers) {
          if ((await runTool({ name: SUBMIT_TOOL, args })).ok) break
        }
        return { text: 'Done.' }
      },
      close: () => undefined,
    }
  }
}
const read = (clerk: Clerk) => readMail(createLeuria({ providers: [clerk], autoDetect: false }), 'Two mugs, please.')

describe('reading a mail', () => {
  it('gives an order with types', async () => {
    const clerk = new Clerk([{ from: 'Ada', mugs: [{ quantity: 2 }] }])
    const { order } = read(clerk)
    expect((await order).mugs[0]?.quantity).toBe(2)
    expect(clerk.options?.system).toContain('never guess')
  })

  it('has an answer that doesn’t fit mended once', async () => {
    const clerk = new Clerk([{ mugs: [{ quantity: 0 }] }, { mugs: [{ quantity: 1 }] }])
    expect((await read(clerk).order).mugs).toEqual([{ quantity: 1, mug: '' }])
  })

  it('fails with what was said when it still doesn’t', async () => {
    const clerk = new Clerk([{ deliverBy: 'soon' }, { deliverBy: 'very soon' }])
    await expect(read(clerk).order).rejects.toBeInstanceOf(StructuredOutputError)
  })

  it('can be stopped', async () => {
    const reading = read(new Clerk([{}]))
    reading.abort()
    await expect(reading.order).rejects.toMatchObject({ code: 'aborted' })
  })
})
