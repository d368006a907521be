/** What sessions show of the visitor's sign-in. */
import type { AcpScript } from '@leuria/testing'
import { expect, it } from 'vitest'
import type { AcpAgentOptions, SeenSignIn } from './index.js'
import { scene, type Scene } from './scripted.fixture.js'

const WANTED = { error: { code: -32000, message: 'Authentication required' } }
const AUTH = { initialize: { result: { authMethods: [{ id: 'oauth' }], agentInfo: { name: 'x', version: '1.2.3' } } } }

function noting(script: AcpScript, options: Partial<AcpAgentOptions> = {}): Scene & { seen: SeenSignIn[] } {
  const seen: SeenSignIn[] = []
  return { ...scene(script, { onSignIn: (each) => seen.push(each), ...options }), seen }
}

it('an answered turn shows that the visitor is signed in; an opened session alone does not', async () => {
  const { open, turn, seen } = noting(AUTH)
  await open()
  expect(seen).toEqual([])
  await turn()
  expect(seen).toEqual([{ state: 'signed_in', version: '1.2.3' }])
})

it('the method to use is asked for anew by each session; a sign-in that is still wanted is told', async () => {
  const chosen: { method?: string } = {}
  const script = { ...AUTH, newSession: [WANTED, WANTED, { result: {} }] }
  // Each session gets a program that begins anew.
  const { turn, seen, started } = noting(script, { authMethod: () => chosen.method })
  await expect(turn()).rejects.toMatchObject({ code: 'signed_out' })
  expect(seen).toEqual([{ state: 'signed_out', version: '1.2.3' }])
  chosen.method = 'oauth'
  await expect(turn()).rejects.toMatchObject({ code: 'signed_out' })
  expect(started.agent.sent('authenticate')).toHaveLength(1)
})

it('a method that works is told with the first answer', async () => {
  const { turn, seen } = noting({ ...AUTH, newSession: [WANTED, { result: {} }] }, { authMethod: () => 'oauth' })
  await turn()
  expect(seen).toEqual([{ state: 'signed_in', method: 'oauth', version: '1.2.3' }])
})

it('an agent that wants to be told the way by each new program is told it when it is looked at', async () => {
  const { adapter, seen } = noting({ ...AUTH, newSession: [WANTED, { result: {} }] }, { authMethod: 'oauth' })
  expect(await adapter.inspect()).toMatchObject({ signedIn: true })
  const other = noting({ ...AUTH, newSession: [WANTED, { result: {} }] }, { authMethod: 'device' })
  expect(await other.adapter.inspect()).toMatchObject({ signedIn: false })
  const failing = noting({ ...AUTH, newSession: [WANTED], authenticate: WANTED }, { authMethod: 'oauth' })
  expect(await failing.adapter.inspect()).toMatchObject({ signedIn: false })
  expect(seen).toEqual([])
})

it('an agent that asks for a sign-in only at the prompt shows it too', async () => {
  const fail = { code: -32603, message: 'Invalid API key · Please run /login' }
  const { turn, seen } = noting({ prompts: [[{ fail }]] })
  await expect(turn()).rejects.toMatchObject({ code: 'signed_out' })
  expect(seen).toEqual([{ state: 'signed_out', version: '1.0.0' }])
})

it('other faults, stopped turns and crashes show nothing', async () => {
  const { open, seen, agent } = noting({
    prompts: [[{ wait: 'cancel' }]],
    otherwise: [{ fail: { code: -32603, message: 'The model said 400' } }],
  })
  const stop = new AbortController()
  const session = await open()
  const stopped = (async () => {
    for await (const _ of session.prompt({ text: 'hi' }, stop.signal));
  })()
  await agent().until('session/prompt')
  stop.abort()
  await stopped
  await expect(
    (async () => {
      for await (const _ of session.prompt({ text: 'again' }, new AbortController().signal));
    })(),
  ).rejects.toMatchObject({ code: 'failed' })
  const dying = noting({ prompts: [[{ exit: 1 }]] })
  await expect(dying.turn()).rejects.toMatchObject({ code: 'crashed' })
  expect([...seen, ...dying.seen]).toEqual([])
})
