/** Codex says which tool a call is of when it begins, and asks about it in other words. Recorded from 0.16.0. */
import { describe, expect, it } from 'vitest'
import { decidePermission, emptyCall, findProfile, type KnownCall } from './index.js'

const schema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
const tools = [{ name: 'search_products', description: '', inputSchema: schema }]
const options = [
  { optionId: 'approved', kind: 'allow_once' },
  { optionId: 'cancel', kind: 'reject_once' },
]

const begun = { server: 'webmcp', tool: 'search_products', arguments: { query: 'mug' } }
const asked = {
  turn_id: 't',
  server_name: 'webmcp',
  id: 'mcp_tool_call_approval_c1',
  request: {
    mode: 'form',
    _meta: { codex_approval_kind: 'mcp_tool_call', tool_params: { query: 'mug' } },
    message: 'Allow the webmcp MCP server to run tool "search_products"?',
  },
}

function decide(inputs: readonly unknown[], more: Partial<KnownCall> = {}) {
  const call: KnownCall = { ...emptyCall('c1'), titles: new Set(['Approve MCP tool call']), rawInputs: inputs, ...more }
  return decidePermission({ call, options, tools, profile: findProfile('codex-acp'), turn: 'open' })
}

describe("Codex's question about a page's tool", () => {
  it('is allowed once when the call said at its beginning what it is of', () => {
    expect(decide([begun, asked])).toMatchObject({ allow: true, toolName: 'mcp__webmcp__search_products' })
  })

  it.each([
    ['no beginning', [asked]],
    ["another server's tool", [{ ...begun, server: 'files' }, asked]],
    ['a tool the page does not have', [{ ...begun, tool: 'delete_all' }, asked]],
    ["another server's question", [begun, { ...asked, server_name: 'files' }]],
    ['a question of another kind', [begun, { ...asked, request: { _meta: { codex_approval_kind: 'exec' } } }]],
    ['a command under the id of a call', [begun, { command: ['sh', '-c', 'x'], cwd: '/' }]],
    ['a beginning with more in it', [{ ...begun, command: ['sh'] }, asked]],
    ['two beginnings', [begun, { ...begun, tool: 'delete_all' }, asked]],
    [
      'arguments that do not fit',
      [begun, { ...asked, request: { _meta: { codex_approval_kind: 'mcp_tool_call', tool_params: {} } } }],
    ],
    ['arguments with the shape of a beginning', [{ server: 'files', tool: 'x', arguments: begun }, asked]],
  ])('is refused for %s', (_, inputs) => {
    expect(decide(inputs)).toMatchObject({ allow: false, answer: { optionId: 'cancel' } })
  })

  it("is refused when a name says something else, and a title can't help it", () => {
    expect(decide([begun, asked], { names: new Set(['shell']) })).toMatchObject({ allow: false })
    expect(decide([asked], { titles: new Set(['Tool: webmcp/search_products']) })).toMatchObject({ allow: false })
  })
})
