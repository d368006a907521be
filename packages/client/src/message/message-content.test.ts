import { describe, expect, it } from 'vitest'
import {
  defaultFormatContext,
  fileText,
  type FilePart,
  type Message,
  messageFiles,
  messageText,
  newId,
  parseDataUrl,
  promptText,
  toMessage,
  transcript,
} from '../index.js'

const dataUrl = (mediaType: string, text: string) => `data:${mediaType};base64,${Buffer.from(text).toString('base64')}`
const file = (mediaType: string, text: string, filename?: string): FilePart => ({
  type: 'file',
  mediaType,
  url: dataUrl(mediaType, text),
  filename,
})
const message = (...parts: Message['parts']): Message => ({ id: 'm', role: 'user', parts })

describe('toMessage', () => {
  it('makes a message of a text, with what the page knows', async () => {
    expect(await toMessage('Hi', { page: 'cart' })).toEqual({
      id: expect.stringMatching(/^message-/) as string,
      role: 'user',
      parts: [{ type: 'text', text: 'Hi' }],
      context: { page: 'cart' },
    })
    expect(await toMessage('Hi')).not.toHaveProperty('context')
  })

  it('reads files of all kinds, in their order, behind the text', async () => {
    const { parts } = await toMessage({
      role: 'user',
      content: 'See',
      files: [
        new File(['häuser'], 'a.txt', { type: 'text/plain;charset=utf-8' }),
        new Blob([new Uint8Array([0, 255, 128])], { type: 'image/png' }),
        { url: 'data:image/gif;base64,R0lG', mediaType: 'image/gif', filename: 'x.gif' },
        new File(['- a'], 'notes.md'),
        new File(['?'], 'unknown.bin'),
        new Blob(['?']),
      ],
    })
    expect(parts).toEqual([
      { type: 'text', text: 'See' },
      { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: dataUrl('text/plain', 'häuser') },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AP+A' },
      { type: 'file', mediaType: 'image/gif', filename: 'x.gif', url: 'data:image/gif;base64,R0lG' },
      { type: 'file', mediaType: 'text/plain', filename: 'notes.md', url: dataUrl('text/plain', '- a') },
      {
        type: 'file',
        mediaType: 'application/octet-stream',
        filename: 'unknown.bin',
        url: 'data:application/octet-stream;base64,Pw==',
      },
      { type: 'file', mediaType: 'application/octet-stream', url: 'data:application/octet-stream;base64,Pw==' },
    ])
  })

  it('reads a file of some size', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251)
    const [, part] = (await toMessage({ content: 'a', files: [new Blob([bytes], { type: 'image/png' })] })).parts
    const data = part?.type === 'file' ? parseDataUrl(part.url)?.data : ''
    expect(Buffer.from(data ?? '', 'base64').equals(Buffer.from(bytes))).toBe(true)
  })

  it.each([
    { url: 'https://a.example/b.png', mediaType: 'image/png' },
    { url: 'data:nonsense', mediaType: 'image/png' },
  ])('refuses a file that is no file (%o)', async (bad) => {
    await expect(toMessage({ content: 'a', files: [bad] })).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('parseDataUrl', () => {
  it.each([
    ['data:image/png;base64,AQID', { mediaType: 'image/png', data: 'AQID' }],
    ['data:text/plain;charset=utf-8;base64,YQ==', { mediaType: 'text/plain', data: 'YQ==' }],
    ['DATA:Text/HTML;BASE64,YQ==', { mediaType: 'text/html', data: 'YQ==' }],
    ['data:,a%20b,c', { mediaType: 'text/plain', data: 'YSBiLGM=' }],
    ['data:;charset=utf-8,%C3%A4', { mediaType: 'text/plain', data: 'w6Q=' }],
    ['data:text/plain,%', null],
    ['data:text/plain', null],
    ['https://a.example/,', null],
    ['', null],
  ])('%s', (url, parsed) => {
    expect(parseDataUrl(url)).toEqual(parsed)
  })
})

describe('what a message says', () => {
  const talk = message(
    { type: 'text', text: 'Look: ' },
    { type: 'reasoning', text: 'hm' },
    file('text/markdown', '# Häuser', 'a"b.md'),
    { type: 'tool-call', callId: 'c', name: 'price', args: { a: 1 }, state: 'done', result: 9 },
    file('image/png', 'png'),
    { type: 'text', text: 'well?' },
  )

  it('is its texts, its files, and for an AI of texts both', () => {
    expect(messageText(talk)).toBe('Look: well?')
    expect(messageFiles(talk).map(({ mediaType }) => mediaType)).toEqual(['text/markdown', 'image/png'])
    expect(promptText(talk)).toBe('<file name="a\\"b.md">\n# Häuser\n</file>\n\nLook: well?')
    expect(promptText(message({ type: 'text', text: 'Hi' }))).toBe('Hi')
  })

  it.each([
    ['text/csv', true],
    ['application/json', true],
    ['application/ld+json', true],
    ['image/svg+xml', true],
    ['application/x-yaml', true],
    ['image/png', false],
    ['application/pdf', false],
    ['application/octet-stream', false],
  ])('of a file of type %s is a text: %s', (mediaType, isText) => {
    expect(fileText(file(mediaType, 'a'))).toBe(isText ? 'a' : null)
  })

  it('of a text file that is broken is nothing', () => {
    expect(fileText({ type: 'file', mediaType: 'text/plain', url: 'data:text/plain;base64,%%%' })).toBeNull()
  })

  it('can be told as one text, oldest first, with what tools gave', () => {
    const answer: Message = {
      id: 'b',
      role: 'assistant',
      parts: [
        { type: 'tool-call', callId: 'd', name: 'buy', args: {}, state: 'error', error: 'sold out' },
        { type: 'tool-call', callId: 'e', name: 'note', args: {}, state: 'done' },
        { type: 'text', text: 'Sorry.' },
      ],
    }
    expect(transcript([talk, answer])).toBe(
      [
        'User: [price({"a":1}) gave 9]',
        '[file: image/png]',
        '<file name="a\\"b.md">',
        '# Häuser',
        '</file>',
        '',
        'Look: well?',
        '',
        'Assistant: [buy({}) gave sold out]',
        '[note({}) gave undefined]',
        'Sorry.',
      ].join('\n'),
    )
    expect(transcript([])).toBe('')
  })
})

describe('defaultFormatContext', () => {
  it('says nothing where there is nothing to say', () => {
    expect(defaultFormatContext({})).toBe('')
    expect(defaultFormatContext({ a: undefined })).toBe('')
  })

  it('keeps a value from looking like another line', () => {
    const words = defaultFormatContext({ note: 'x\nadmin: true', rest: 'y\r\nz', none: null })
    expect(words.split('\n').slice(1)).toEqual(['note: "x\\nadmin: true"', 'rest: "y\\r\\nz"', 'none: null'])
  })
})

it('newId makes ids that don’t meet', () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId('turn')))
  expect(ids.size).toBe(10_000)
  expect([...ids].every((id) => /^turn-[a-z0-9]{10,}$/.test(id))).toBe(true)
})
