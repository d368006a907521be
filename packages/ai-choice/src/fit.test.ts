import type { Needs } from '@leuria/protocol'
import { describe, expect, it } from 'vitest'
import { fit, type FitCandidate, type ModelTraits } from './index.js'

const small = { id: 'small', billions: 3, tools: true, images: false, contextTokens: 8_000 }
const medium = { id: 'medium', billions: 14, tools: true, images: true, contextTokens: 32_000 }
const large = { id: 'large', billions: 70, tools: true, images: true, contextTokens: 128_000 }
const unknown = { id: 'mystery' }

const ollama = (...models: ModelTraits[]): FitCandidate => ({ id: 'llm:ollama', name: 'Ollama', kind: 'llm', models })
const api = (...models: ModelTraits[]): FitCandidate => ({
  id: 'llm:api',
  name: 'API',
  kind: 'llm',
  cost: 'paid',
  models,
})
const claude: FitCandidate = {
  id: 'claude-acp',
  name: 'Claude',
  kind: 'agent',
  models: [
    { id: 'haiku', name: 'Haiku' },
    { id: 'sonnet', name: 'Sonnet' },
    { id: 'opus', name: 'Opus' },
  ],
}
const bare: FitCandidate = { id: 'other-acp', name: 'Other', kind: 'agent' }
const demo: FitCandidate = { id: 'demo', name: 'Demo AI (no model)', kind: 'demo', isDefault: true }

const verdicts = (needs: Needs | undefined, ai: FitCandidate): Record<string, string> =>
  Object.fromEntries(fit(needs, [ai]).ais[0]!.models.map((model) => [model.id, `${model.verdict} ${model.cost}`]))

describe('verdicts', () => {
  const all = [small, medium, large, unknown]
  it.each<[string, Needs | undefined, FitCandidate, Record<string, string>]>([
    [
      'nothing asked: all fit',
      undefined,
      ollama(...all),
      { small: 'fits free', medium: 'fits free', large: 'fits free', mystery: 'fits free' },
    ],
    [
      'tools known to be missing',
      { tools: true },
      ollama({ ...small, tools: false }, unknown),
      { small: 'short free', mystery: 'fits free' },
    ],
    [
      'images known to be missing',
      { images: true },
      ollama(small, medium, unknown),
      { small: 'short free', medium: 'fits free', mystery: 'fits free' },
    ],
    [
      'context one token too small',
      { context: 8_001 },
      ollama(small, medium, unknown),
      { small: 'short free', medium: 'fits free', mystery: 'fits free' },
    ],
    ['context exactly enough', { context: 8_000 }, ollama(small), { small: 'fits free' }],
    [
      'light work',
      { effort: 'light' },
      ollama(...all),
      { small: 'fits free', medium: 'fits free', large: 'fits free', mystery: 'fits free' },
    ],
    [
      'ordinary work',
      { effort: 'standard' },
      ollama(...all),
      { small: 'short free', medium: 'fits free', large: 'fits free', mystery: 'fits free' },
    ],
    [
      'demanding work',
      { effort: 'deep' },
      ollama(...all),
      { small: 'short free', medium: 'short free', large: 'fits free', mystery: 'fits free' },
    ],
    [
      'light work, paid',
      { effort: 'light' },
      api(...all),
      { small: 'fits paid', medium: 'more paid', large: 'more paid', mystery: 'fits paid' },
    ],
    [
      'ordinary work, paid',
      { effort: 'standard' },
      api(...all),
      { small: 'short paid', medium: 'fits paid', large: 'more paid', mystery: 'fits paid' },
    ],
    ['no effort named: nothing is too much', { tools: true }, api(large), { large: 'fits paid' }],
    [
      'an agent has tools and images',
      { tools: true, images: true },
      claude,
      { haiku: 'fits plan', sonnet: 'fits plan', opus: 'fits plan' },
    ],
    [
      'an agent by its models',
      { effort: 'standard' },
      claude,
      { haiku: 'short plan', sonnet: 'fits plan', opus: 'more plan' },
    ],
    [
      "a free service's model on another computer",
      { tools: true },
      ollama({ ...large, local: false }),
      { large: 'fits plan' },
    ],
    [
      'embedding models are no answer',
      {},
      ollama({ id: 'nomic-embed-text', type: 'embedding' }, small),
      { small: 'fits free' },
    ],
  ])('%s', (_name, ...[needs, ai, expected]) => {
    expect(verdicts(needs, ai)).toEqual(expected)
  })

  it('says in words what is missing', () => {
    const [model] = fit({ tools: true, images: true, context: 16_000, effort: 'deep' }, [
      ollama({ ...small, tools: false }),
    ]).ais[0]!.models
    expect(model?.missing).toEqual([
      "it can't use the page's tools",
      "it can't see images",
      'it takes 8,000 tokens at once and the site asks for 16,000',
      'it is a small model and the site asks for demanding work',
    ])
  })

  it("gives an AI the best of its models' verdicts", () => {
    const needs: Needs = { effort: 'standard' }
    expect(fit(needs, [ollama(small, medium)]).ais[0]).toMatchObject({ verdict: 'fits', cost: 'free' })
    expect(fit(needs, [ollama(small)]).ais[0]).toMatchObject({ verdict: 'short' })
    expect(fit(needs, [api(large)]).ais[0]).toMatchObject({ verdict: 'more', cost: 'paid' })
    expect(fit(needs, [bare]).ais[0]).toEqual({ id: 'other-acp', verdict: 'fits', cost: 'plan', models: [] })
    expect(fit(needs, [ollama()]).ais[0]).toEqual({ id: 'llm:ollama', verdict: 'short', cost: 'free', models: [] })
    expect(fit(needs, [demo]).ais[0]).toMatchObject({ verdict: 'short', cost: 'free' })
    expect(fit({ tools: true }, [demo]).ais[0]).toMatchObject({ verdict: 'fits', cost: 'free' })
    expect(fit({ images: true }, [demo]).ais[0]).toMatchObject({ verdict: 'short', cost: 'free' })
  })
})

describe('recommendation', () => {
  const pick = (needs: Needs | undefined, ...ais: FitCandidate[]): string | null => {
    const { recommended } = fit(needs, ais)
    return recommended === null ? null : `${recommended.agent} ${recommended.model}`
  }

  it.each<[string, Needs | undefined, FitCandidate[], string | null]>([
    ['none when the site named no needs', undefined, [ollama(medium)], null],
    ['none without AIs', { tools: true }, [], null],
    ['none when all are short', { effort: 'deep' }, [ollama(small), api(medium)], null],
    ['never the demo AI', { tools: true }, [demo], null],
    [
      'the cheapest that is enough',
      { effort: 'standard' },
      [api(medium), claude, ollama(small, large)],
      'llm:ollama large',
    ],
    ['a plan before what is paid', { effort: 'standard' }, [api(medium), claude], 'claude-acp sonnet'],
    ['what is paid when nothing else is enough', { effort: 'deep' }, [ollama(small), api(large)], 'llm:api large'],
    ['the nearest strength', { effort: 'light' }, [ollama(large, medium, small)], 'llm:ollama small'],
    [
      'unknown strength before two steps too strong',
      { effort: 'light' },
      [ollama(large, unknown)],
      'llm:ollama mystery',
    ],
    [
      'one step too strong before unknown strength',
      { effort: 'light' },
      [ollama(unknown, medium)],
      'llm:ollama medium',
    ],
    [
      'the loaded one of equals',
      { tools: true },
      [ollama(medium, { ...medium, id: 'hot', loaded: true })],
      'llm:ollama hot',
    ],
    [
      "the visitor's model of equals",
      { tools: true },
      [{ ...ollama(medium, large), currentModel: 'large' }],
      'llm:ollama large',
    ],
    [
      'the default AI of equals',
      { tools: true },
      [ollama(medium), { ...ollama(medium), id: 'llm:box', isDefault: true }],
      'llm:box medium',
    ],
    ['the first of equals', { tools: true }, [ollama(medium, large)], 'llm:ollama medium'],
    [
      'an agent that chooses its model itself',
      { tools: true, effort: 'deep' },
      [ollama(small), bare],
      'other-acp null',
    ],
  ])('%s', (_name, ...[needs, ais, expected]) => {
    expect(pick(needs, ...ais)).toBe(expected)
  })

  it.each<[Needs, FitCandidate, string]>([
    [
      { tools: true, effort: 'standard' },
      ollama(medium),
      "Ollama · medium: it runs on this computer and costs nothing, it can use the page's tools, it is strong enough.",
    ],
    [
      { images: true, effort: 'light' },
      api(large),
      'API · large: it is the cheapest that is enough, and each answer is paid for, it can see images, it is stronger than needed.',
    ],
    [
      { tools: true },
      ollama(unknown),
      "Ollama · mystery: it runs on this computer and costs nothing, it may be able to use the page's tools.",
    ],
    [{ images: true }, bare, 'Other: it is covered by a plan you have, it can see images.'],
  ])('says why (%j)', (needs, ai, reason) => {
    expect(fit(needs, [ai]).recommended?.reason).toBe(reason)
  })

  it('names the model, the cost and whether it is the default', () => {
    expect(fit({ effort: 'deep' }, [{ ...claude, isDefault: true }]).recommended).toMatchObject({
      agent: 'claude-acp',
      model: 'opus',
      modelName: 'Opus',
      isDefault: true,
      cost: 'plan',
    })
  })
})
