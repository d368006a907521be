/** What the demo AI says of pictures: that it can't look at them, and their size, which stands in the file's first bytes. */
import { fakePageTools } from '@leuria/testing'
import { expect, it } from 'vitest'
import { openDemo } from './ask.fixture.js'

const bytes = (...parts: readonly (string | readonly number[])[]): string =>
  Buffer.concat(
    parts.map((part) => Buffer.from(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  ).toString('base64')
const PNG = bytes('\u0089PNG\r\n\u001a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 2, 128, 0, 0, 1, 224])

async function told(...images: readonly string[]): Promise<string> {
  const session = await openDemo(fakePageTools({}))
  const attachments = images.map((data) => ({ type: 'image' as const, mimeType: 'image/png', data }))
  let text = ''
  for await (const event of session.prompt({ text: 'What is this?', attachments }, new AbortController().signal)) {
    if (event.type === 'text') text += event.text
  }
  return text
}

it.each([
  ['PNG', PNG, '640 × 480'],
  ['GIF', bytes('GIF89a', [44, 1, 200, 0]), '300 × 200'],
  ['JPEG', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 1, 0, 2, 0]), '512 × 256'],
  ['WebP', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [0, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0]), '100 × 50'],
  ['WebP', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 99, 0x40, 12, 0, 0, 0, 0, 0, 0]), '100 × 50'],
  ['WebP', bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 157, 1, 42, 100, 0, 50, 0]), '100 × 50'],
])('tells the size of a %s, and that it has not looked', async (kind, data, size) => {
  const text = await told(data)
  expect(text).toMatch(/^I can’t look at pictures: I have no model\./)
  expect(text).toContain(`a ${kind} of ${size} pixels`)
})

it.each([
  ['another kind of file', bytes('%PDF-1.7')],
  ['a file that is cut', PNG.slice(0, 16)],
  ['a JPEG without a frame', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ['an empty one', bytes('GIF89a', [0, 0, 0, 0])],
])('says no size of %s', async (_, data) => {
  const text = await told(data)
  expect(text).toMatch(/^I can’t look at pictures/)
  expect(text).not.toContain('pixels')
})

it('tells of several pictures at once', async () => {
  expect(await told(PNG, bytes('GIF89a', [1, 0, 1, 0]))).toContain(
    'it is a PNG of 640 × 480 pixels and a GIF of 1 × 1 pixels',
  )
})
