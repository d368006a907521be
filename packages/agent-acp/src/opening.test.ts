/** From nothing to a session: introduction, sign-in, the page's tools, mode, model, and who may run at all. */
import { AgentError } from '@leuria/agent'
import { type AcpScript, collectTurn, fakeMcpEndpoint, fakePageTools } from '@leuria/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AcpAgentOptions, unknownAgent } from './index.js'
import { scene, TOOLS } from './scripted.fixture.js'

async function failureOf(work: Promise<unknown>): Promise<AgentError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AgentError)) throw new Error('It did not fail with an AgentError.')
  return error
}

const capabilities = (agentCapabilities: object): AcpScript => ({ initialize: { result: { agentCapabilities } } })

describe('the introduction', () => {
  it('offers nothing of this computer', async () => {
    const { open, agent } = scene({}, { engineVersion: '1.2.3' })
    await open()
    expect(agent().sent('initialize')[0]?.params).toEqual({
      protocolVersion: 1,
      clientInfo: { name: 'leuria', title: 'Leuria', version: '1.2.3' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    })
  })

  it.each<[string, AcpScript, string]>([
    [
      'another version',
      { initialize: { result: { protocolVersion: 2 } } },
      'Scripted agent speaks version 2 of the Agent Client Protocol; this engine speaks version 1.',
    ],
    [
      'no version',
      { initialize: { result: { protocolVersion: 'new' } } },
      'Scripted agent did not introduce itself as an ACP agent.',
    ],
    ['an error', { initialize: { error: { code: -32603, message: 'No' } } }, 'Scripted agent reported a problem: No.'],
    [
      'no session',
      { newSession: [{ result: { sessionId: null } }] },
      'Scripted agent did not say which session it opened.',
    ],
  ])('that ends in %s is a failure in words, and nothing runs', async (_, script, message) => {
    const { open, started } = scene(script)
    expect(await failureOf(open())).toMatchObject({ code: 'failed', message })
    expect(started.running).toBe(0)
  })
})

describe('sign-in', () => {
  const wanted = { error: { code: -32000, message: 'Authentication required' } }
  const authMethods = [{ id: 'oauth', name: 'Log in' }]

  it('that is missing is said with what to do', async () => {
    const { open, started } = scene({ newSession: [wanted] })
    expect(await failureOf(open())).toMatchObject({
      code: 'signed_out',
      message: 'Scripted agent wants you to sign in first. Run: leuria login scripted',
    })
    expect(started.running).toBe(0)
  })

  it('is done by itself with a method that the visitor chose and the agent has', async () => {
    const script = { initialize: { result: { authMethods } }, newSession: [wanted, { result: {} }] }
    const { open, agent } = scene(script, { authMethod: 'oauth' })
    await open()
    expect(agent().received.map(({ method }) => method)).toEqual([
      'initialize',
      'session/new',
      'authenticate',
      'session/new',
    ])
    expect(agent().sent('authenticate')[0]?.params).toEqual({ methodId: 'oauth' })
  })

  it('is not tried with another', async () => {
    const { open } = scene({ initialize: { result: { authMethods } }, newSession: [wanted] }, { authMethod: 'api-key' })
    expect((await failureOf(open())).code).toBe('signed_out')
  })

  it('that fails is told', async () => {
    const script = { initialize: { result: { authMethods } }, newSession: [wanted], authenticate: wanted }
    expect((await failureOf(scene(script, { authMethod: 'oauth' }).open())).code).toBe('signed_out')
  })
})

describe('without a page', () => {
  const authMethods = [
    { id: 'oauth', name: 'Log in', type: 'agent' },
    { id: 'device', name: 'Device code', type: 'terminal', args: ['login'] },
  ]
  const models = { currentModelId: 'small', availableModels: [{ modelId: 'small', name: 'Small' }] }
  const wanted = { error: { code: -32000, message: '' } }
  const initialize = { result: { authMethods } }

  it('an agent tells its version, how to sign in, whether it is, and its models', async () => {
    const { adapter, started } = scene({ initialize, newSession: [{ result: { models } }] })
    expect(await adapter.inspect()).toMatchObject({
      version: '1.0.0',
      signedIn: true,
      authMethods: [{ id: 'oauth' }, { id: 'device', type: 'terminal' }],
      models: { current: 'small' },
    })
    expect([adapter.models()?.current, started.running]).toEqual(['small', 0])
    expect(await scene({ initialize, newSession: [wanted] }).adapter.inspect()).toMatchObject({ signedIn: false })
  })

  it('it is told of a terminal only where there is one', async () => {
    const { adapter, started } = scene()
    await adapter.warm()
    for (const terminal of [false, true]) await adapter.inspect({ terminal })
    const told = started.agents.map((agent) => agent.sent('initialize')[0]?.params?.clientCapabilities)
    expect(told.filter((can) => JSON.stringify(can).includes('"auth":{"terminal":true}'))).toHaveLength(1)
  })

  it('it is signed in by its own method, and asked whether that worked', async () => {
    const { adapter, agent } = scene({ initialize, newSession: [{ result: {} }] })
    expect(await adapter.signIn('oauth')).toMatchObject({ signedIn: true })
    expect(agent().received.map(({ method }) => method)).toEqual(['initialize', 'authenticate', 'session/new'])
  })

  it('what a sign-in leaves is kept, and what anything else leaves is not', async () => {
    const { adapter, started } = scene({ initialize })
    await adapter.inspect()
    await adapter.signIn('oauth')
    await adapter.inspect()
    expect(started.launches.map(({ keepSignIn }) => keepSignIn)).toEqual([undefined, true, undefined])
  })

  it('nothing is tried that it does not have, or that needs a terminal', async () => {
    const { adapter, started } = scene({ initialize })
    expect((await failureOf(adapter.signIn('magic'))).message).toBe(
      'Scripted agent has no sign-in method magic. It has: oauth, device.',
    )
    expect((await failureOf(adapter.signIn('device'))).message).toContain('in a terminal')
    expect(started.running).toBe(0)
  })

  it('one that can be asked nothing is a failure in words', async () => {
    const { adapter } = scene({ newSession: [{ error: { code: -32603, message: 'Disk full' } }] })
    expect(await failureOf(adapter.inspect())).toMatchObject({
      code: 'failed',
      message: 'Scripted agent reported a problem: Disk full.',
    })
  })
})

describe('the page’s tools', () => {
  const bridgeCommand = { command: '/usr/bin/leuria', args: ['mcp-stdio'] }
  const mcp = { url: 'http://127.0.0.1:9/webmcp/mcp', token: 'agent-token' }
  const http = {
    type: 'http',
    name: 'webmcp',
    url: mcp.url,
    headers: [{ name: 'Authorization', value: 'Bearer agent-token' }],
  }
  const stdio = {
    name: 'webmcp',
    command: '/usr/bin/leuria',
    args: ['mcp-stdio', mcp.url],
    env: [{ name: 'LEURIA_MCP_TOKEN', value: 'agent-token' }],
  }

  it.each<[string, AcpScript, Partial<AcpAgentOptions>, object]>([
    ['HTTP where the agent says so', {}, { bridgeCommand }, http],
    ['stdio where it does not', capabilities({}), { bridgeCommand }, stdio],
    ['HTTP where there is no bridge', capabilities({}), {}, http],
  ])('over %s', async (...[, script, options, server]) => {
    const { open, agent } = scene({ tools: 'never', ...script }, options)
    await open()
    expect(agent().sent('session/new')[0]?.params).toEqual({ cwd: '/scratch', mcpServers: [server] })
  })

  it.each<[string, AcpScript, 'http' | 'stdio', object[]]>([
    ['says HTTP and takes stdio only', {}, 'stdio', [http, stdio]],
    ['says nothing and takes HTTP only', capabilities({ sessionCapabilities: { close: {} } }), 'http', [stdio, http]],
  ])('an agent that %s is asked again the other way', async (...[, script, way, servers]) => {
    let connect: () => void = () => undefined
    const connected = new Promise<void>((resolve) => (connect = resolve))
    const { open, agent, clock, started, log } = scene({ tools: 'never', ...script }, { bridgeCommand })
    const opening = open({ mcp: { ...mcp, connected } })
    await expect.poll(() => started.agents.length).toBe(1)
    await agent().until('session/new')
    await clock.advanceAsync(7_999)
    expect(agent().sent('session/new')).toHaveLength(1)
    await clock.advanceAsync(1)
    await agent().until('session/new', 2)
    connect()
    await opening
    expect(
      agent()
        .sent('session/new')
        .map(({ params }) => params?.mcpServers),
    ).toEqual(servers.map((server) => [server]))
    expect(agent().sent('session/close')).toHaveLength(way === 'http' ? 1 : 0)
    expect(log).toContain(`The agent did not come to the page's tools over ${way === 'http' ? 'stdio' : 'http'}.`)
  })

  it('that it never comes to: the visitor is told at the first turn', async () => {
    const { open, agent, clock, started } = scene({ tools: 'never' }, { bridgeCommand })
    const opening = open({ mcp: { ...mcp, connected: new Promise(() => undefined) } })
    await expect.poll(() => started.agents.length).toBe(1)
    for (const count of [1, 2]) {
      await agent().until('session/new', count)
      await clock.advanceAsync(8_000)
    }
    const session = await opening
    const events = async () => collectTurn(session.prompt({ text: 'hi' }, new AbortController().signal))
    expect((await events())[0]).toEqual({
      type: 'status',
      text: 'Scripted agent did not connect to this page’s tools. It can answer, but not use them.',
    })
    expect((await events()).some(({ type }) => type === 'status')).toBe(false)
  })

  it('are reached for real', async () => {
    const tools = fakePageTools(TOOLS)
    const endpoint = await fakeMcpEndpoint(tools)
    onTestFinished(() => endpoint.close())
    const { turn } = scene({ prompts: [[{ call: 'find_items', arguments: { query: 'mug' } }, { say: '{{result}}' }]] })
    expect(await turn('hi', { tools, mcp: endpoint })).toContainEqual({ type: 'text', text: 'ok' })
    expect(tools.calls).toMatchObject([{ name: 'find_items', arguments: { query: 'mug' } }])
  })
})

describe('the system prompt', () => {
  const systemPrompt = 'You sell mugs.'

  it('comes before the first prompt where the agent has no place for it, and only there', async () => {
    const { open, agent } = scene()
    const session = await open({ systemPrompt })
    for (const text of ['/first', 'second']) await collectTurn(session.prompt({ text }, new AbortController().signal))
    const texts = agent()
      .sent('session/prompt')
      .map(({ params }) => params?.prompt)
    expect(texts).toEqual([
      [{ type: 'text', text: 'You sell mugs.\n\n---\n\n/first' }],
      [{ type: 'text', text: 'second' }],
    ])
  })

  it.each(['override', 'append'])('goes with the session where the agent takes it (%s)', async (mode) => {
    const { turn, agent } = scene(capabilities({ sessionCapabilities: { systemPrompt: { mode: { [mode]: {} } } } }))
    await turn('hi', { systemPrompt })
    const content = [{ type: 'text', text: systemPrompt }]
    expect(agent().sent('session/new')[0]?.params?.systemPrompt).toEqual({ mode, content })
    expect(agent().sent('session/prompt')[0]?.params?.prompt).toEqual([{ type: 'text', text: 'hi' }])
  })

  it('goes where its profile puts it', async () => {
    const profile = { ...unknownAgent, systemPrompt: 'profile', sessionMeta: (wishes: object) => ({ wishes }) } as const
    const { turn, agent } = scene(capabilities({ sessionCapabilities: { systemPrompt: { mode: { override: {} } } } }), {
      profile,
    })
    await turn('hi', { systemPrompt, maxTurns: 4 })
    expect(agent().sent('session/new')[0]?.params?.systemPrompt).toBeUndefined()
    expect(agent().sent('session/new')[0]?.params?._meta).toEqual({ wishes: { systemPrompt, maxTurns: 4 } })
    expect(agent().sent('session/prompt')[0]?.params?.prompt).toEqual([{ type: 'text', text: 'hi' }])
  })
})

describe('the mode in which it asks', () => {
  const profile = { ...unknownAgent, mode: 'ask' }
  const modes = { currentModeId: 'auto', availableModes: [{ id: 'auto' }, { id: 'ask' }] }

  it('is set, and set again when the agent leaves it', async () => {
    const leave = { update: { sessionUpdate: 'current_mode_update', currentModeId: 'yolo' } }
    const { turn, agent } = scene(
      { newSession: [{ result: { modes } }], prompts: [[leave, { say: 'Hi' }]] },
      { profile },
    )
    await turn()
    await agent().until('session/set_mode', 2)
    expect(
      agent()
        .sent('session/set_mode')
        .map(({ params }) => params?.modeId),
    ).toEqual(['ask', 'ask'])
  })

  it('that it does not take is a failure', async () => {
    const script = {
      newSession: [{ result: { modes } }],
      answers: { 'session/set_mode': { error: { code: -32603, message: 'No' } } },
    }
    expect((await failureOf(scene(script, { profile }).open())).code).toBe('failed')
  })

  it('is left alone where the agent has none of that name, or is in it', async () => {
    for (const current of [{ currentModeId: 'ask', availableModes: modes.availableModes }, { availableModes: [] }]) {
      const { open, agent } = scene({ newSession: [{ result: { modes: current } }] }, { profile })
      await open()
      expect(agent().sent('session/set_mode')).toEqual([])
    }
  })
})

describe('models', () => {
  const configOptions = [
    { id: 'thinking', category: 'model', type: 'boolean', currentValue: true },
    {
      id: 'model',
      category: 'model',
      type: 'select',
      currentValue: 'small',
      options: [
        {
          group: 'g',
          name: 'All',
          options: [
            { value: 'small', name: 'Small' },
            { value: 'large', name: 'Large' },
          ],
        },
      ],
    },
  ]
  const models = {
    currentModelId: 'small',
    availableModels: [{ modelId: 'small', name: 'Small' }, { modelId: 'large' }],
  }

  it.each([
    ['config options', { configOptions }, 'session/set_config_option', { configId: 'model', value: 'large' }],
    ['the older list', { models }, 'session/set_model', { modelId: 'large' }],
  ])('are known and chosen by %s', async (...[, result, method, params]) => {
    const { open, agent, adapter } = scene({ newSession: [{ result }] })
    await open({ model: 'large' })
    expect(
      agent()
        .sent(method)
        .map((message) => message.params),
    ).toEqual([{ sessionId: 'agent-session-1', ...params }])
    expect(adapter.models()).toMatchObject({
      current: 'large',
      models: [{ id: 'small', name: 'Small' }, { id: 'large' }],
    })
  })

  it('are listed anew when the agent says so', async () => {
    const now = [{ ...configOptions[1], options: [{ value: 'huge', name: 'Huge' }], currentValue: 'huge' }]
    const update = { update: { sessionUpdate: 'config_option_update', configOptions: now } }
    const { turn, adapter } = scene({ newSession: [{ result: { configOptions } }], prompts: [[update]] })
    await turn()
    expect(adapter.models()).toMatchObject({ current: 'huge', models: [{ id: 'huge' }] })
  })

  it('that are not offered, or not taken, leave the agent’s own choice and a line in the log', async () => {
    const unknown = scene({ newSession: [{ result: { models } }] })
    await unknown.open({ model: 'vast' })
    expect(unknown.log).toContain('The agent does not offer the model vast; it uses its own choice.')
    const refusing = scene({
      newSession: [{ result: { models } }],
      answers: { 'session/set_model': { error: { code: -32602, message: 'No' } } },
    })
    await refusing.open({ model: 'large' })
    expect(refusing.log.join()).toContain('did not take the model large')
    const none = scene()
    await none.open({ model: 'large' })
    expect(none.adapter.models()).toBeNull()
  })

  it('no request is made for the one in use, or when nobody chose', async () => {
    const { open, agent } = scene({ newSession: [{ result: { models } }] })
    await open({ model: 'small' })
    await open()
    expect(agent().sent('session/set_model')).toEqual([])
  })
})

describe('who may run', () => {
  const profile = { ...unknownAgent, checkedVersions: ['1.0'] }

  it('an agent of a checked version', async () => {
    await scene({}, { trusted: false, profile }).open()
    const silent = { initialize: { result: { agentInfo: null } } }
    await scene(silent, { trusted: false, profile, version: '1.0.3' }).open()
  })

  it('no other outside a sandbox', async () => {
    const { open, started } = scene(
      { initialize: { result: { agentInfo: { version: '1.1.0' } } } },
      { trusted: false, profile },
    )
    expect(await failureOf(open())).toMatchObject({
      code: 'failed',
      message:
        'Scripted agent 1.1.0 has not been checked with Leuria, so it may run only inside a sandbox, and this computer has none. To use it all the same, run leuria agents trust scripted, or start Leuria with --trust scripted',
    })
    expect(started.running).toBe(0)
  })
})

it('the program gets what its profile and the visitor say, and no secrets', async () => {
  const launch = { args: ['--ask'], env: { HOME_OF: '{private}/x', A: 'profile' }, files: { 'x/config.json': '{}' } }
  const { open, started } = scene(
    {},
    {
      args: ['--acp'],
      env: { A: 'visitor' },
      profile: { ...unknownAgent, launch: () => launch, signIn: [{ home: '.x' }] },
    },
  )
  await open()
  expect(started.launches).toMatchObject([
    {
      command: 'scripted-agent',
      args: ['--acp', '--ask'],
      env: { HOME_OF: '{private}/x', A: 'visitor' },
      files: { 'x/config.json': '{}' },
      signIn: [{ home: '.x' }],
      sessionId: 's1',
    },
  ])
  expect(JSON.stringify(started.launches)).not.toContain('agent-token')
})
