/** A file that is taken for whole at a glance must be so by its schema, too, and say the same. */
import { configFile, provider, providersFile } from '@leuria/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { CONFIG_FIELDS, isPlainConfig, isPlainFile, isPlainProviders, PROVIDER_FIELDS } from './plain-files.js'

const text = fc.constantFrom('', 'demo', 'llm:box', 'openai')
const table = fc.dictionary(fc.constantFrom('a', 'b'), text)
/** What belongs into one field or another, and what belongs nowhere. */
const anything = fc.oneof(
  text,
  table,
  fc.array(text, { maxLength: 2 }),
  fc.boolean(),
  fc.constantFrom<unknown>(0, 1, 2, -1, 1.5, 65_535, 65_536, Number.MAX_VALUE, null, {}, [], [1], { a: 1 }, [[]]),
)

/** What could have been read from a file: nothing in it is `undefined`. */
function file(usual: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(usual).map(([name, value]) => [
      name,
      fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: anything }),
    ]),
  )
  return fc.oneof(
    { weight: 9, arbitrary: fc.record({ ...fields, other: anything }, { requiredKeys: [] }) },
    { weight: 1, arbitrary: anything },
  )
}

const version = fc.constant(1)
const config = file({
  version,
  port: fc.constantFrom(0, 19_570, 65_535),
  agent: text,
  models: table,
  trusted: fc.array(text),
  warm: fc.boolean(),
  embed: anything,
})
const service = file({
  id: text,
  kind: fc.constantFrom('openai', 'ollama', 'lmstudio'),
  name: text,
  baseUrl: text,
  apiKey: text,
  headers: table,
})
const services = file({ version, providers: fc.array(service, { maxLength: 3 }) })

/** How many of them were plain: a test of nothing but refusals would say nothing. */
function agree(files: fc.Arbitrary<unknown>, isPlain: (value: unknown) => boolean, schema: z.core.$ZodType): number {
  let plain = 0
  fc.assert(
    fc.property(files, (value) => {
      if (!isPlain(value)) return
      plain += 1
      expect(z.safeParse(schema, value)).toMatchObject({ success: true, data: value })
    }),
    { numRuns: 2_000 },
  )
  return plain
}

describe('a plain file', () => {
  it('is whole by its schema, which adds nothing to it', () => {
    expect(agree(config, isPlainConfig, configFile)).toBeGreaterThan(20)
    expect(agree(services, isPlainProviders, providersFile)).toBeGreaterThan(20)
  })

  it('is looked at in every field that the schema knows', () => {
    expect(Object.keys(CONFIG_FIELDS).sort()).toEqual(Object.keys(configFile.shape).sort())
    expect(Object.keys(PROVIDER_FIELDS).sort()).toEqual(Object.keys(provider.shape).sort())
  })

  it.each([[null], [[]], ['1'], [{}], [{ version: 2 }], [{ version: '1' }]])('is not %j', (value) => {
    expect([isPlainFile(value), isPlainConfig(value), isPlainProviders(value)]).toEqual([false, false, false])
  })
})
