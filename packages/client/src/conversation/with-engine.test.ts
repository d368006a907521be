/** The whole way: a conversation of the client's, the bridge, and an engine. */
import { pageScene } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AbortError, bridge, createLeuria, defineTool, messageText, TimeoutError } from '../index.js'

const open = () => pageScene((parts) => createLeuria({ ...parts, autoDetect: false, providers: [bridge(parts)] }))
const ready = async (page: Awaited<ReturnType<typeof open>>) => {
  await page.client.detect()
  return page
}
const scene = async () => ready(await open())
type Scene = Awaited<ReturnType<typeof scene>>

const prompts = ({ engine }: Scene) =>
  engine.log.requests(/prompt$/).map(({ body }) => (body as { prompt: string }).prompt)
const sessions = ({ engine }: Scene) => engine.log.requests(/prepare$/).length

describe('a conversation with the visitor’s own AI', () => {
  it('has its tools checked by a validator', async () => {
    await using page = await scene()
    const tool = defineTool({
      name: 'price',
      description: 'The price of an article.',
      inputSchema: z.object({ sku: z.string(), pieces: z.number().default(1) }),
      execute: ({ sku, pieces }) => `${pieces} ${sku}: ${pieces * 9} euros`,
    })
    const conversation = page.client.conversation({ tools: [tool] })
    expect(await conversation.send('call price {"sku":"mug"}').text()).toBe('1 mug: 9 euros')
    expect(await conversation.send('call price {"sku":"mug","pieces":"x"}').text()).toMatch(/failed: .*pieces/)
  })

  it('lets the visitor answer a call', async () => {
    await using page = await scene()
    const conversation = page.client.conversation({ tools: [{ name: 'ask', description: 'Asks the visitor.' }] })
    const run = conversation.send('call ask {"question":"Colour?"}')
    await page.until(() => expect(conversation.getState().pendingInputs).toHaveLength(1))
    conversation.submitToolResult(conversation.getState().pendingInputs[0]?.callId ?? '', { colour: 'blue' })
    expect(await run.text()).toBe('{"colour":"blue"}')
  })

  it('answers in a shape by handing it in, and mends it once', async () => {
    await using page = await scene()
    const schema = { type: 'object', properties: { stars: { type: 'number' } }, required: ['stars'] }
    const conversation = page.client.conversation({ schema })
    expect(await conversation.send('call submit_result {"stars":5}').object()).toEqual({ stars: 5 })
    const words = 'call submit_result {"stars":"five"}\ncall submit_result {"stars":4}'
    expect(await conversation.send(words).object()).toEqual({ stars: 4 })
    expect(await conversation.send('Say {"stars":3}').object()).toEqual({ stars: 3 })
    expect(sessions(page)).toBe(1)
  })

  it('stops and goes on in the same session', async () => {
    await using page = await scene()
    const conversation = page.client.conversation()
    const run = conversation.send('say begun\nhold\nsay never')
    await page.engine.puppet.held()
    await page.until(() => expect(conversation.getState().messages.at(-1)?.parts).toHaveLength(1))
    conversation.stop()
    await expect(run.text()).rejects.toThrow(AbortError)
    expect(await conversation.send('say again').text()).toBe('again')
    expect(sessions(page)).toBe(1)
    expect(conversation.getState().messages.map(messageText)).toEqual([
      'say begun\nhold\nsay never',
      'begun',
      'say again',
      'again',
    ])
  })

  it('keeps its session over a time limit and over a tool that ends the turn', async () => {
    await using page = await scene()
    const done = defineTool({
      name: 'done',
      description: 'Ends.',
      execute: (_, { endTurn }) => endTurn({ page: '/cart' }),
    })
    const conversation = page.client.conversation({ tools: [done] })
    const slow = conversation.send('hold', { timeoutMs: 1_000 })
    await page.engine.puppet.held()
    page.clock.advance(1_000)
    await expect(slow.text()).rejects.toThrow(TimeoutError)
    const ended = await conversation.send('call done\nsay too late').result()
    expect(ended).toMatchObject({ text: '', outcome: { page: '/cart' } })
    expect(await conversation.send('say fine').text()).toBe('fine')
    expect(sessions(page)).toBe(1)
  })

  it('goes on in a new session after the AI failed, and after the engine ended the session', async () => {
    await using page = await scene()
    const conversation = page.client.conversation()
    expect(await conversation.send('say one').text()).toBe('one')
    await expect(conversation.send('fail out of memory').text()).rejects.toThrow()
    expect(conversation.getState()).toMatchObject({ status: 'error', session: 'none' })
    expect(await conversation.send('say two').text()).toContain('two')
    expect(prompts(page).at(-1)).toMatch(/say one[^]*one[^]*fail out of memory[^]*say two/)
    page.engine.session.finish('cancelled')
    expect(await conversation.send('say three').text()).toContain('three')
    expect(prompts(page).at(-1)).toMatch(/say two[^]*say three/)
    expect(page.engine.live).toHaveLength(1)
  })
})
