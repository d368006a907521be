/** Which permission requests are allowed: the forms of `TOOL_FORMS`, real agents' requests, and every way to look like one. */
import type { PageTool } from '@leuria/agent'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AgentProfile,
  decidePermission,
  emptyCall,
  findProfile,
  type KnownCall,
  type PermissionDecision,
  type PermissionReason,
  TOOL_FORMS,
  unknownAgent,
} from './index.js'

const schema = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] }
const tools: PageTool[] = [
  { name: 'search_products', description: '', inputSchema: { type: 'object', properties: {} } },
  { name: 'place_order', description: '', inputSchema: schema, annotations: { title: 'Place order' } },
  { name: 'größe', description: '', inputSchema: { type: 'object' }, annotations: { title: 'Size' } },
]
const OPTIONS = [
  { optionId: 'a', kind: 'allow_always' },
  { optionId: 'b', kind: 'allow_once' },
  { optionId: 'c', kind: 'reject_always' },
  { optionId: 'd', kind: 'reject_once' },
]

interface Asked {
  call?: Partial<Omit<KnownCall, 'names' | 'titles' | 'rawInputs'>> & {
    names?: string[]
    titles?: string[]
    rawInput?: unknown
    rawInputs?: unknown[]
  }
  options?: { optionId: string; kind?: string }[]
  turn?: 'open' | 'cancelling' | 'none'
  profile?: AgentProfile
  declared?: PageTool[]
}

function decide({
  call = {},
  options = OPTIONS,
  turn = 'open',
  profile = unknownAgent,
  declared = tools,
}: Asked): PermissionDecision {
  const { names = [], titles = [], title, rawInput, rawInputs, ...rest } = call
  const known: KnownCall = {
    ...emptyCall('c1'),
    ...rest,
    titles: new Set(title === undefined ? titles : [title, ...titles]),
    rawInputs: rawInputs ?? (rawInput === undefined ? [] : [rawInput]),
    names: new Set(names),
  }
  return decidePermission({ call: known, options, tools: declared, profile, turn })
}

const reasonOf = (asked: Asked): PermissionReason => decide(asked).reason

describe('a page tool, by its whole title', () => {
  const forms = [
    'mcp__webmcp__search_products',
    'mcp_webmcp_search_products',
    'webmcp_search_products',
    'webmcp-search_products',
    'webmcp__search_products',
    'webmcp___search_products',
    'Tool: webmcp/search_products',
    'mcp.webmcp.search_products',
    'search_products (webmcp MCP Server)',
  ]

  it('these are all the forms', () => {
    expect(TOOL_FORMS.map((form) => form('search_products'))).toEqual(forms)
  })

  it.each(forms)('%s is allowed once', (title) => {
    expect(decide({ call: { title } })).toEqual({
      allow: true,
      reason: 'page_tool',
      toolName: 'mcp__webmcp__search_products',
      answer: { outcome: 'selected', optionId: 'b' },
    })
  })

  it.each(forms)('%s with anything around it, or another case, is refused', (form) => {
    const titles = [
      `${form} `,
      ` ${form}`,
      `${form}; rm -rf ~`,
      `$(${form})`,
      `${form}\n`,
      form.toUpperCase(),
      form.slice(0, -1),
      `x${form}`,
    ]
    for (const title of titles) expect([title, reasonOf({ call: { title } })]).toEqual([title, 'not_a_page_tool'])
  })

  it('of a tool that the page does not have (any more) is refused', () => {
    for (const form of TOOL_FORMS) {
      expect(reasonOf({ call: { title: form('delete_all') } })).toBe('not_a_page_tool')
      expect(reasonOf({ call: { title: form('search_products') }, declared: [] })).toBe('not_a_page_tool')
    }
  })

  it('of another server, or of none, is refused', () => {
    for (const title of ['mcp__other__search_products', 'mcp__webmcp2__search_products', 'search_products', 'webmcp'])
      expect(reasonOf({ call: { title } })).toBe('not_a_page_tool')
  })

  it('by the name it was offered under, where the page’s own is not one that models take', () => {
    expect(decide({ call: { title: 'mcp__webmcp__gro_e' } })).toMatchObject({
      allow: true,
      toolName: 'mcp__webmcp__größe',
    })
    expect(decide({ call: { title: 'mcp__webmcp__größe' } }).allow).toBe(false)
  })

  it('that could be two tools is refused', () => {
    const two = ['x', '_x'].map((name) => ({ name, description: '', inputSchema: { type: 'object' } }))
    expect(reasonOf({ call: { title: 'webmcp__x' }, declared: two })).toBe('not_a_page_tool')
    expect(decide({ call: { title: 'mcp.webmcp.x' }, declared: two }).allow).toBe(true)
  })

  it.each(['execute', 'edit', 'delete', 'move', 'fetch'])('is refused when the call is of the kind %s', (kind) => {
    expect(reasonOf({ call: { title: 'webmcp_search_products', kind } })).toBe('not_a_page_tool')
  })

  it('property: no other title is ever allowed', () => {
    const title = fc.oneof(
      fc.string(),
      fc.tuple(fc.string(), fc.constantFrom(...forms), fc.string()).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(title, (text) => {
        expect(decide({ call: { title: text } }).allow).toBe(forms.includes(text))
      }),
    )
  })
})

describe('a page tool, by a structured field', () => {
  it('is allowed whatever the title says', () => {
    const call = { title: 'Looking for mugs', kind: 'execute', names: ['mcp__webmcp__search_products'] }
    expect(decide({ call })).toMatchObject({ allow: true, toolName: 'mcp__webmcp__search_products' })
    expect(decide({ call: { meta: { claudeCode: { toolName: 'mcp__webmcp__search_products' } } } }).allow).toBe(true)
  })

  it.each<[string, NonNullable<Asked['call']>]>([
    ['another tool is named', { names: ['Bash'] }],
    ['another tool is named in _meta', { meta: { claudeCode: { toolName: 'Bash' } } }],
    ['the name is only part of it', { names: ['mcp__webmcp__search_products; ls'] }],
    ['two fields disagree', { names: ['mcp__webmcp__search_products'], meta: { toolName: 'run_shell_command' } }],
    [
      'two fields name two page tools',
      { names: ['mcp__webmcp__search_products'], meta: { toolName: 'mcp__webmcp__place_order' } },
    ],
    ['it was renamed on the way', { names: ['mcp__webmcp__search_products', 'Bash'] }],
    [
      'the server is another',
      { names: ['mcp__webmcp__search_products'], meta: { claudeCode: { mcpServer: { name: 'files' } } } },
    ],
  ])('is refused when %s, though the title is right', (_, call) => {
    expect(reasonOf({ call: { title: 'mcp__webmcp__search_products', ...call } })).toBe('not_a_page_tool')
  })
})

it('a title that changed on the way is no identity', () => {
  expect(reasonOf({ call: { titles: ['mcp__webmcp__search_products', 'cat ~/.ssh/id_rsa'] } })).toBe('not_a_page_tool')
  expect(decide({ call: { titles: ['mcp__webmcp__search_products', 'webmcp_search_products'] } }).allow).toBe(true)
})

describe('arguments, when they are shown', () => {
  const asking = (rawInput: unknown): PermissionReason => reasonOf({ call: { title: 'webmcp_place_order', rawInput } })

  it('must fit the tool’s schema', () => {
    expect(asking({ item: 'mug' })).toBe('page_tool')
    expect(asking('{"item":"mug"}')).toBe('page_tool')
    expect(asking(undefined)).toBe('page_tool')
    for (const wrong of [{}, { command: 'ls' }, { item: 5 }, [], 'mug', 7]) expect(asking(wrong)).toBe('arguments')
  })
})

describe('the answer', () => {
  const title = 'webmcp_search_products'

  it('allows once or not at all', () => {
    expect(decide({ call: { title }, options: [OPTIONS[0]!, OPTIONS[3]!] })).toEqual({
      allow: false,
      reason: 'no_allow_once',
      toolName: 'mcp__webmcp__search_products',
      answer: { outcome: 'selected', optionId: 'd' },
    })
    expect(decide({ call: { title }, options: [] }).answer).toEqual({ outcome: 'cancelled' })
  })

  it('goes by the kind of an option, never by its id', () => {
    const options = [
      { optionId: 'allow_once', kind: 'allow_always' },
      { optionId: 'reject', kind: 'allow_once' },
    ]
    expect(decide({ call: { title }, options }).answer).toEqual({ outcome: 'selected', optionId: 'reject' })
    expect(decide({ call: { title }, options: [{ optionId: 'allow_once' }] }).answer).toEqual({ outcome: 'cancelled' })
  })

  it('refuses once, or cancels; never always', () => {
    const call = { title: 'Bash' }
    expect(decide({ call }).answer).toEqual({ outcome: 'selected', optionId: 'd' })
    expect(decide({ call, options: OPTIONS.slice(0, 3) }).answer).toEqual({ outcome: 'cancelled' })
  })

  it.each<[PermissionReason, Asked]>([
    ['turn_cancelled', { turn: 'cancelling' }],
    ['no_turn', { turn: 'none' }],
    ['call_over', { call: { over: true } }],
    ['asked_before', { call: { permission: 'allowed' } }],
    ['asked_before', { call: { permission: 'refused' } }],
  ])('is no (%s) even for a page tool', (reason, asked) => {
    expect(decide({ ...asked, call: { title, ...asked.call } })).toMatchObject({ allow: false, reason })
  })

  it('names what was asked for without its content', () => {
    expect(decide({ call: { title: 'cat ~/.ssh/id_rsa', kind: 'execute' } }).toolName).toBe('execute')
    expect(decide({ call: { title: 'cat ~/.ssh/id_rsa' } }).toolName).toBe('unknown')
    expect(decide({ call: { names: ['Bash'] } }).toolName).toBe('Bash')
  })
})

/** As real agents ask (2026-11-30). */
describe('real agents', () => {
  const input = { item: 'mug' }
  it.each<[string, string, NonNullable<Asked['call']>]>([
    ['claude 0.16 and 0.23', 'claude-acp', { title: 'mcp__webmcp__place_order', rawInput: input }],
    [
      'claude 0.101',
      'claude-acp',
      {
        title: 'mcp__webmcp__place_order',
        names: ['mcp__webmcp__place_order'],
        rawInput: input,
        meta: { claudeCode: { toolName: 'mcp__webmcp__place_order', mcpServer: { name: 'webmcp' } } },
      },
    ],
    ['gemini', 'gemini', { title: 'place_order (webmcp MCP Server)', texts: [JSON.stringify(input)] }],
    [
      'qwen',
      'qwen-code',
      { title: JSON.stringify(input), rawInput: input, meta: { toolName: 'mcp__webmcp__place_order' } },
    ],
    ['copilot', 'github-copilot-cli', { title: 'Place order', rawInput: input }],
    ['copilot, with both', 'github-copilot-cli', { titles: ['webmcp-place_order', 'Place order'], rawInput: input }],
    [
      'grok',
      'grok-cli',
      {
        title: 'webmcp__place_order',
        rawInput: { variant: 'UseTool', tool_name: 'webmcp__place_order', tool_input: input },
      },
    ],
    [
      'codex 0.16',
      'codex-acp',
      {
        titles: ['Tool: webmcp/place_order', 'Approve MCP tool call'],
        rawInputs: [
          { server: 'webmcp', tool: 'place_order', arguments: input },
          {
            server_name: 'webmcp',
            request: { _meta: { codex_approval_kind: 'mcp_tool_call', tool_params: input } },
          },
        ],
      },
    ],
    ['opencode', 'opencode', { title: 'webmcp_place_order', rawInput: input }],
  ])('%s gets its page tool, and not with other arguments', (_, id, call) => {
    const profile = findProfile(id)
    expect(profile.agentIds).toContain(id)
    expect(decide({ call, profile })).toMatchObject({ allow: true, toolName: 'mcp__webmcp__place_order' })
    const wrong = JSON.parse(JSON.stringify(call).replaceAll('item', 'command')) as typeof call
    expect(decide({ call: wrong, profile }).reason).toBe('arguments')
  })

  it.each<[string, string, NonNullable<Asked['call']>]>([
    [
      'a shell command that is called like a tool',
      'github-copilot-cli',
      { title: 'Place order', kind: 'execute', rawInput: input },
    ],
    ['a bare name', 'github-copilot-cli', { title: 'search_products' }],
    [
      'the bare name of another tool',
      'github-copilot-cli',
      { titles: ['webmcp-place_order', 'search_products'], rawInput: input },
    ],
    ['the bare name of a tool with a title', 'github-copilot-cli', { titles: ['webmcp-place_order', 'place_order'] }],
    ['a display name that two tools have', 'github-copilot-cli', { title: 'Size' }],
    [
      'a wrapper around another tool',
      'grok-cli',
      { title: 'webmcp__place_order', rawInput: { variant: 'UseTool', tool_name: 'shell', tool_input: input } },
    ],
    [
      'a wrapper that the model wrote',
      'claude-acp',
      { title: 'Bash', rawInput: { variant: 'UseTool', tool_name: 'webmcp__place_order', tool_input: input } },
    ],
    [
      'a wrapper with nothing readable in it',
      'qwen-code',
      { title: 'x', meta: { toolName: 'tool_call' }, rawInput: {} },
    ],
    ['a display name where titles are none', 'claude-acp', { title: 'Place order' }],
  ])('%s is refused', (_, id, call) => {
    const declared = [...tools, { ...tools[2]!, name: 'size' }]
    expect(decide({ call, profile: findProfile(id), declared })).toMatchObject({
      allow: false,
      reason: 'not_a_page_tool',
    })
  })

  it('copilot’s bare name of a tool without a title counts beside an exact form of the same', () => {
    const call = { titles: ['webmcp-search_products', 'search_products'], rawInput: {} }
    expect(decide({ call, profile: findProfile('github-copilot-cli') })).toMatchObject({ allow: true })
    expect(decide({ call, profile: findProfile('claude-acp') })).toMatchObject({ allow: false })
  })

  it('an agent’s own harmless tools are allowed, others are not', () => {
    const profile = findProfile('claude-acp')
    expect(decide({ call: { names: ['ToolSearch'] }, profile })).toMatchObject({
      allow: true,
      reason: 'own_tool',
      toolName: 'ToolSearch',
    })
    expect(decide({ call: { names: ['ToolSearch', 'Bash'] }, profile }).allow).toBe(false)
    expect(decide({ call: { names: ['ToolSearch'] } }).allow).toBe(false)
  })
})
