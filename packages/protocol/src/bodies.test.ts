/** Every body schema: what it takes, what it refuses, and both sides of each limit. */
import { describe, expect, it } from 'vitest'
import { claimBody, embedBody, EngineError, parseBody, prepareBody, promptBody } from './index.js'

const NONCE = 'AAECAwQFBgcICQoLDA0ODw'

function refusal(read: () => unknown): EngineError {
  try {
    read()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  return expect.fail('nothing was refused')
}

const image = { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' }
const text = { type: 'text', text: 'hello' }

describe('bodies', () => {
  const schemas = { prepareBody, promptBody, claimBody, embedBody }
  const shapeless = [null, [], 7, 'text', true]
  it.each(
    Object.entries(schemas).flatMap(([name, schema]) => shapeless.map((value) => [name, value, schema] as const)),
  )('%s refuses %j', (_, value, schema) => {
    expect(refusal(() => parseBody(schema, value)).code).toBe('bad_request')
  })
})

describe('prepare', () => {
  it('takes an empty body, and drops what it does not know', () => {
    expect(parseBody(prepareBody, {})).toEqual({})
    expect(parseBody(prepareBody, { agent: 'mine', command: 'rm' })).toEqual({})
  })

  it('"prompt, when given, must be a non-empty string"', () => {
    for (const prompt of ['', '  \n', null, 7, {}])
      expect(refusal(() => parseBody(prepareBody, { prompt })).status).toBe(400)
    expect(parseBody(prepareBody, { prompt: 'hi' }).prompt).toBe('hi')
  })

  it('"maxTurns … is clamped between 1 and 50"', () => {
    const clamped = [-3, 0, 1, 1.9, 50, 51, 9_999].map((maxTurns) => parseBody(prepareBody, { maxTurns }).maxTurns)
    expect(clamped).toEqual([1, 1, 1, 1, 50, 50, 50])
    expect(refusal(() => parseBody(prepareBody, { maxTurns: 'ten' })).status).toBe(400)
  })

  it('takes a blank system prompt for none', () => {
    expect(parseBody(prepareBody, { systemPrompt: ' ' }).systemPrompt).toBeUndefined()
  })

  it('takes 10 attachments and refuses 11', () => {
    const attachments = Array.from({ length: 10 }, () => text)
    expect(parseBody(prepareBody, { attachments }).attachments).toHaveLength(10)
    expect(refusal(() => parseBody(prepareBody, { attachments: [...attachments, text] })).status).toBe(400)
  })

  it('names the attachment that is malformed', () => {
    const malformed = [
      null,
      {},
      { type: 'audio' },
      { ...image, mimeType: 'text/html' },
      { ...image, data: 'not base64!' },
      { ...image, data: '' },
      { type: 'text', text: 7 },
    ]
    for (const one of malformed) {
      const error = refusal(() => parseBody(prepareBody, { attachments: [text, image, one] }))
      expect(error.message).toContain('attachments[2]')
    }
  })

  it('takes base64 with and without padding, and no other form of it', () => {
    const data = (value: string) => () =>
      parseBody(promptBody, { prompt: 'see', attachments: [{ ...image, data: value }] })
    for (const good of ['aGVsbG8=', 'aGVsbG8', 'aGVsbA==', 'aGVsbA', 'YWJj']) expect(data(good)).not.toThrow()
    for (const bad of ['a', 'aGVsb', 'aGVsbG8==', '====', 'aGVs-_8=', 'aGVs bG8=', 'data:image/png;base64,YWJj'])
      expect(data(bad)).toThrow(EngineError)
  })
})

describe('claim', () => {
  it('takes nonces of 22 to 128 characters', () => {
    for (const length of [22, 128])
      expect(parseBody(claimBody, { nonce: 'a'.repeat(length) }).nonce).toHaveLength(length)
    for (const length of [21, 129])
      expect(refusal(() => parseBody(claimBody, { nonce: 'a'.repeat(length) })).status).toBe(400)
  })

  it('drops names and needs that it cannot read', () => {
    expect(parseBody(claimBody, { nonce: NONCE, app: 7, needs: 'all' })).toEqual({
      nonce: NONCE,
      app: undefined,
      needs: undefined,
    })
    expect(parseBody(claimBody, { nonce: NONCE, app: ' Shop ', needs: { tools: true, gpu: true } })).toEqual({
      nonce: NONCE,
      app: 'Shop',
      needs: { tools: true },
    })
  })
})

describe('embed', () => {
  it('takes 1 to 256 texts of the two kinds', () => {
    expect(parseBody(embedBody, { texts: Array.from({ length: 256 }, () => 'a') }).kind).toBe('document')
    expect(parseBody(embedBody, { texts: ['a'], kind: 'query' }).kind).toBe('query')
    for (const body of [
      {},
      { texts: [] },
      { texts: [7] },
      { texts: Array.from({ length: 257 }, () => 'a') },
      { texts: ['a'], kind: 'other' },
    ]) {
      expect(refusal(() => parseBody(embedBody, body)).status).toBe(400)
    }
  })
})
