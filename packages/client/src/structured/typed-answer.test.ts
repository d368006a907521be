// The type of an answer follows its schema, wherever a request with one can be made. Checked by the compiler; run, too.
import { expect, expectTypeOf, it } from 'vitest'
import * as v from 'valibot'
import * as z from 'zod'
import { says, ScriptedProvider } from '../conversation/scripted-provider.fixture.js'
import { createLeuria, withJsonSchema } from '../index.js'

const Mug = z.object({ name: z.string(), price: z.number() })
interface MugShape {
  name: string
  price: number
}
const json = { type: 'object', required: ['name'] }
const prompt = 'The mug?'

/** A client whose AI always gives the mug. */
function mugs() {
  const ai = new ScriptedProvider('ai', says('{"name":"mug","price":9}')).able('structured')
  return createLeuria({ providers: [ai], autoDetect: false })
}

it('is what a validator says', async () => {
  const mug = await mugs().chat({ prompt, schema: Mug }).object()
  expectTypeOf(mug).toEqualTypeOf<MugShape>()
  expect(mug.price).toBe(9)
  const { object } = await mugs().conversation({ schema: Mug }).send(prompt).result()
  expectTypeOf(object).toEqualTypeOf<MugShape>()
  const named = v.object({ name: v.string() })
  const name = await mugs()
    .chat({ prompt, schema: withJsonSchema(named, json) })
    .object()
  expectTypeOf(name).toEqualTypeOf<{ name: string }>()
})

it('is what `validate` makes of it', async () => {
  const euros = await mugs()
    .chat({ prompt, schema: Mug, validate: ({ price }) => ({ euros: price }) })
    .object()
  expectTypeOf(euros).toEqualTypeOf<{ euros: number }>()
  expect(euros).toEqual({ euros: 9 })
  const later = mugs().chat({ prompt, schema: Mug, validate: async ({ name }) => name })
  expectTypeOf(await later.object()).toEqualTypeOf<string>()
})

it('is unknown where only a JSON Schema is given, or none, until `validate` reads it', async () => {
  expectTypeOf(await mugs().chat({ prompt, schema: json }).object()).toEqualTypeOf<unknown>()
  expectTypeOf(await mugs().chat({ prompt }).object()).toEqualTypeOf<unknown>()
  const read = mugs().chat({ prompt, schema: json, validate: (value) => Mug.parse(value) })
  expectTypeOf(await read.object()).toEqualTypeOf<MugShape>()
})
