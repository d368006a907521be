import type { ModelInfo } from '@leuria/agent'
import { fakeClock } from '@leuria/testing'
import { expect, it } from 'vitest'
import { createModelList, keepModels, MAX_MODELS } from './index.js'

const model = (id: string, name = id): ModelInfo => ({ id, name, type: 'chat', local: true })
const ids = (models: readonly ModelInfo[]): string[] => models.map(({ id }) => id)

it('keeps each model once, the first of its id, whatever it is called', () => {
  const odd = ['__proto__', 'constructor', '<b>', 'a/b:c', 'größe']
  expect(ids(keepModels([...odd, ...odd].map((id) => model(id))))).toEqual(odd)
})

it('keeps as many as a service could have', () => {
  const many = Array.from({ length: MAX_MODELS + 1 }, (_, at) => model(`m${at}`))
  expect(keepModels(many)).toEqual(many.slice(0, MAX_MODELS))
})

it.each(['x'.repeat(201), 'good\u202egpt', 'two\nlines', '\u001b[31mred', '\u2066x'])('leaves out %j', (id) => {
  expect(ids(keepModels([model(id), model('x'.repeat(200))]))).toEqual(['x'.repeat(200)])
})

it('shows the id where the name would deceive', () => {
  expect(keepModels([model('a', 'A\u202e'), model('b', 'B')])).toMatchObject([{ name: 'a' }, { name: 'B' }])
})

it('is what every list goes through', async () => {
  const list = createModelList({
    clock: fakeClock(),
    discover: () => Promise.resolve([model('a'), model('a'), model('\u202e')]),
  })
  expect(ids((await list.refresh()).models)).toEqual(['a'])
})
