/** What the list of AIs says of each kind of trouble, on services whose answers are given. */
import type { ModelInfo, ModelService, ModelSnapshot, ServiceKind } from '@leuria/agent'
import { describe, expect, it } from 'vitest'
import { listAis } from './ai-list.js'

const chat = (id: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  id,
  name: id,
  type: 'chat',
  local: true,
  ...more,
})

function service(id: string, kind: ServiceKind, snapshot: ModelSnapshot): ModelService {
  return {
    id,
    kind,
    name: id.toUpperCase(),
    baseUrl: `http://127.0.0.1/${id}`,
    models: () => snapshot,
    refresh: () => Promise.resolve(snapshot),
    subscribe: () => () => undefined,
    openAgent: () => expect.fail('nobody opens an AI to list it'),
    close: () => undefined,
  }
}
const running = (...models: ModelInfo[]): ModelSnapshot => ({ state: 'running', models })
const find = (id: string, list: ReturnType<typeof listAis>) => list.find((ai) => ai.id === id)

describe('the default', () => {
  const ollama = service('ollama', 'ollama', running(chat('small'), chat('big', { loaded: true })))

  it.each([
    [{}, 'demo', undefined],
    [{ agent: 'llm:ollama' }, 'llm:ollama', 'big'],
    [{ agent: 'llm:ollama', models: { 'llm:ollama': 'small' } }, 'llm:ollama', 'small'],
    [{ agent: 'llm:ollama/small' }, 'llm:ollama', 'small'],
    [{ agent: 'llm:gone/x' }, 'llm:gone/x', undefined],
    [{ agent: 'claude-acp' }, 'claude-acp', undefined],
  ])('of %j is %s with the model %s', (settings, id, model) => {
    const list = listAis({ agents: [], services: [ollama], settings })
    expect(list.filter((ai) => ai.default)).toMatchObject([{ id }])
    expect(find(id, list)?.model).toBe(model)
    expect(find('llm:ollama', list)?.models.filter((one) => one.default)).toHaveLength(1)
  })

  it('that is not set up is listed last, with why', () => {
    expect(listAis({ agents: [], services: [ollama], settings: { agent: 'claude-acp' } }).at(-1)).toEqual({
      id: 'claude-acp',
      kind: 'agent',
      name: 'claude-acp',
      default: true,
      usable: false,
      problem: '"claude-acp" isn\'t set up here.',
      models: [],
    })
  })
})

describe('whether an AI can be used', () => {
  it.each<{ when: string; kind?: ServiceKind; snapshot: ModelSnapshot; chosen?: string; problem?: RegExp }>([
    { when: 'it runs and has a model', snapshot: running(chat('a')) },
    { when: 'nobody has looked yet', snapshot: { state: 'unknown', models: [] } },
    {
      when: 'it is not there',
      snapshot: { state: 'unavailable', models: [], problem: 'It is off.' },
      chosen: 'a',
      problem: /It is off/,
    },
    {
      when: 'it has nothing to talk to',
      kind: 'lmstudio',
      snapshot: running(chat('e', { type: 'embedding' })),
      problem: /no model to talk/,
    },
    { when: 'its list is empty', kind: 'openai', snapshot: running(), problem: /lists no model/ },
    { when: 'its list is empty, and a model was chosen', kind: 'openai', snapshot: running(), chosen: 'a' },
    { when: 'the chosen model is not listed', kind: 'openai', snapshot: running(chat('b')), chosen: 'a' },
    {
      when: 'the chosen model is gone',
      snapshot: running(chat('b')),
      chosen: 'a',
      problem: /doesn't have the model a/,
    },
    { when: 'the chosen model has a tag', snapshot: running(chat('a:latest')), chosen: 'a' },
    {
      when: 'the chosen model only embeds',
      snapshot: running(chat('a', { type: 'embedding' })),
      chosen: 'a',
      problem: /can't talk/,
    },
  ])('$when', ({ kind = 'ollama', snapshot, chosen, problem }) => {
    const models = chosen === undefined ? {} : { 'llm:x': chosen }
    const ai = find('llm:x', listAis({ agents: [], services: [service('x', kind, snapshot)], settings: { models } }))
    expect(ai?.usable).toBe(problem === undefined)
    if (problem === undefined) expect(ai).not.toHaveProperty('problem')
    else expect(ai?.problem).toMatch(problem)
  })

  it('is not denied to a service that is only slow, which is said', () => {
    const slow: ModelSnapshot = { state: 'running', models: [chat('a')], problem: 'It did not answer in time.' }
    expect(
      find('llm:x', listAis({ agents: [], services: [service('x', 'ollama', slow)], settings: {} })),
    ).toMatchObject({
      usable: true,
      problem: 'It did not answer in time.',
      model: 'a',
    })
  })
})
