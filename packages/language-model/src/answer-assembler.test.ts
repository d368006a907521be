import { describe, expect, it } from 'vitest'
import { AnswerAssembler, type BodyEnd } from './answer-assembler.js'
import type { ModelPart } from './chat-model.js'
import { createChunkFeed } from './chunk-feed.js'

const names = { serviceName: 'U', model: 'm' }
const chunk = (choice: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`
const call = (fields: object, about: object): string =>
  chunk({ delta: { tool_calls: [{ ...fields, function: about }] }, finish_reason: null })

/** What an answer of these bytes comes to; null when it is refused as incomplete or unreadable. */
function read(text: string, how: BodyEnd): ModelPart[] | null {
  const feed = createChunkFeed()
  const assembler = new AnswerAssembler({ names, tools: new Set(['search', 'get_cart']) })
  const parts: ModelPart[] = []
  try {
    for (const fed of [...feed.push(Buffer.from(text)), ...feed.end()]) assembler.read(fed, parts)
    return [...parts, ...assembler.end(feed.isDone() ? 'done' : how)]
  } catch {
    return null
  }
}

describe('an answer cut anywhere', () => {
  const CALLS =
    call({ index: 0, id: 'a' }, { name: 'search', arguments: '' }) +
    call({ index: 0 }, { arguments: '{"query":"blue' }) +
    call({ index: 0 }, { arguments: ' mug","max":12}' }) +
    call({ index: 1, id: 'b' }, { name: 'get_cart', arguments: '{}' }) +
    chunk({ delta: {}, finish_reason: 'tool_calls' }) +
    'data: [DONE]\n\n'

  it.each<BodyEnd>(['closed', 'cut'])('never makes a call that differs from the whole one (%s)', (how) => {
    for (let length = 0; length <= CALLS.length; length += 1) {
      for (const part of read(CALLS.slice(0, length), how) ?? []) {
        if (part.type !== 'call' || part.name !== 'search' || !part.input.ok) continue
        expect(part.input.value).toEqual({ query: 'blue mug', max: 12 })
      }
    }
  })

  it('makes no call at all when the connection was cut before the finish reason', () => {
    const finish = CALLS.indexOf('"finish_reason":"tool_calls"')
    for (let length = 0; length <= finish; length += 1) expect(read(CALLS.slice(0, length), 'cut')).toBeNull()
  })
})
