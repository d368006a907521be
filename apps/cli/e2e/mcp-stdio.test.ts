/** `leuria mcp-stdio`: an agent without HTTP reaches a page's tools, through the official SDK's own client. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { prepareReply } from '@leuria/protocol'
import { fakePage, type FakePage } from '@leuria/testing'
import * as z from 'zod/mini'
import { expect, it } from 'vitest'
import { CLI, runCli, startEngine, type RunningEngine, temporaryHome } from './cli-process.js'
import { callAs, connectSite } from './connect-site.js'

const SHOP = 'https://shop.example'

/** A session whose page offers two tools, and the token that opens them over MCP. */
async function openPage(
  engine: RunningEngine,
): Promise<{ page: FakePage; token: string; sessionId: string; grant: string }> {
  const grant = await connectSite(engine, SHOP)
  const prepared = await callAs({ engine, path: '/session/prepare', origin: SHOP, token: grant, body: {} })
  const { sessionId, registrationToken } = z.parse(prepareReply, prepared.json)
  const page = await fakePage({
    registrationToken,
    server: engine.ready.url.replace('http', 'ws'),
    origin: SHOP,
    tools: {
      find: {
        inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
        run: (args) => ({ found: args }),
      },
      broken: {
        run: () => {
          throw new Error('The catalogue is offline.')
        },
      },
    },
  })
  const token = new URL(page.channel, engine.ready.url).searchParams.get('token') ?? ''
  return { page, token, sessionId, grant }
}

it("lists and calls the page's tools over stdio, and ends with its input", async () => {
  await using home = await temporaryHome()
  const engine = await startEngine({ home: home.path })
  const { page, token } = await openPage(engine)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp-stdio', `${engine.ready.url}/webmcp/mcp`],
    env: { LEURIA_MCP_TOKEN: token },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  expect(client.getServerVersion()).toMatchObject({ name: 'webmcp' })
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['find', 'broken'])
  expect(await client.callTool({ name: 'find', arguments: { what: 'mug' } })).toMatchObject({
    content: [{ type: 'text', text: '{"found":{"what":"mug"}}' }],
  })
  expect(await client.callTool({ name: 'broken', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: 'The catalogue is offline.' }],
  })
  const changed = new Promise((resolve) => {
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      resolve(true)
    })
  })
  // The stream of notifications may still be opening: declare until it is heard.
  const declaring = setInterval(() => void page.declare({ type: 'registerTool', name: `t${Date.now()}` }), 50)
  expect(await changed).toBe(true)
  clearInterval(declaring)
  await client.close()
  page.close()
  await engine.stop()
})

it('tells the agent in words when the session is over', async () => {
  await using home = await temporaryHome()
  const engine = await startEngine({ home: home.path })
  const { token, sessionId, grant } = await openPage(engine)
  await callAs({ engine, path: `/session/${sessionId}/close`, origin: SHOP, token: grant, body: {} })
  const request = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const ended = await runCli(['mcp-stdio', `${engine.ready.url}/webmcp/mcp`], {
    home: home.path,
    env: { LEURIA_MCP_TOKEN: token },
    stdin: `${JSON.stringify(request)}\n`,
  })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ended.stdout)).toMatchObject({
    id: 7,
    error: { message: expect.stringMatching(/ended/) as unknown },
  })
  await engine.stop()
})

it.each([
  ['without a token', 'http://127.0.0.1:1/webmcp/mcp', {}, /LEURIA_MCP_TOKEN is not set/],
  ['to another computer', 'http://example.com/webmcp/mcp', { LEURIA_MCP_TOKEN: 'x' }, /not the engine's address/],
  ['to no address', 'engine', { LEURIA_MCP_TOKEN: 'x' }, /not the engine's address/],
] as const)('refuses to run %s', async (...[, url, env, words]) => {
  await using home = await temporaryHome()
  const refused = await runCli(['mcp-stdio', url], { home: home.path, env })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(words)
})

it('is in no help', async () => {
  await using home = await temporaryHome()
  expect((await runCli(['--help'], { home: home.path })).stdout).not.toContain('mcp-stdio')
})
