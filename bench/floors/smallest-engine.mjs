// The smallest engine: speaks just enough of the protocol over raw node:http and ws for one page, its tools, a turn and
// embeddings. No gate, no grants, no checks, no replay: what the wire costs, not a design. MODEL_URL: its model server.
// AGENT: a program that speaks ACP, one a session, instead of it.
import { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Agent, createServer, request as httpRequest } from 'node:http'
import { WebSocketServer } from 'ws'

const MODEL_URL = process.env.MODEL_URL ?? ''
const AGENT = process.env.AGENT ?? ''
const sessions = new Map()
const agent = new Agent({ keepAlive: true })
const sockets = new WebSocketServer({ noServer: true })
let base = ''

function readBody(request) {
  return new Promise((resolve) => {
    const parts = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => resolve(parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString())))
  })
}

function answer(response, status, body) {
  const text = JSON.stringify(body)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

function tell(session, event, data) {
  const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  for (const stream of session.streams) stream.write(text)
}

function callPage(session, tool, args) {
  return new Promise((resolve) => {
    const id = randomUUID()
    session.calls.set(id, resolve)
    session.channel.send(JSON.stringify({ type: 'callTool', id, tool, arguments: args }))
  })
}

function onPageMessage(session, text) {
  const message = JSON.parse(text)
  if (message.type === 'registerTool') {
    session.tools.set(message.name, message)
    session.channel.send(JSON.stringify({ type: 'ack', registration: 'registerTool', name: message.name }))
  }
  if (message.type !== 'toolResponse') return
  session.calls.get(message.id)?.(message.result)
  session.calls.delete(message.id)
}

function asText(result) {
  return typeof result === 'string' ? result : JSON.stringify(result)
}

const MCP = {
  initialize: (_, { protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'webmcp', version: '0' },
  }),
  'tools/list': ({ tools }) => ({
    tools: [...tools.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  }),
  'tools/call': async (session, { name, arguments: args }) => ({
    content: [{ type: 'text', text: asText(await callPage(session, name, args)) }],
  }),
}

async function mcp(request, response) {
  const session = sessions.get(request.headers.authorization.slice('Bearer '.length))
  const { id, method, params } = await readBody(request)
  if (id === undefined) response.writeHead(202).end()
  else answer(response, 200, { jsonrpc: '2.0', id, result: await MCP[method](session, params) })
}

function askModel(messages, tools) {
  return new Promise((resolve) => {
    const body = JSON.stringify({ model: 'bench', stream: true, messages, tools })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    httpRequest(`${MODEL_URL}/v1/chat/completions`, { method: 'POST', agent, headers }, resolve).end(body)
  })
}

/** One answer of the model: its text is told as it comes; what it wants called is given back. */
async function readModel(session, stream) {
  const calls = []
  let text = ''
  let rest = ''
  for await (const part of stream.setEncoding('utf8')) {
    const lines = (rest + part).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue
      const delta = JSON.parse(line.slice(6)).choices[0].delta
      if (delta.tool_calls !== undefined) calls.push(...delta.tool_calls)
      if (delta.content === undefined) continue
      text += delta.content
      tell(session, 'chunk', delta.content)
    }
  }
  return { text, calls }
}

async function turn(session, prompt) {
  tell(session, 'turn_start', null)
  session.messages.push({ role: 'user', content: prompt })
  const tools = [...session.tools.values()].map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }))
  for (;;) {
    const { text, calls } = await readModel(session, await askModel(session.messages, tools))
    session.messages.push({ role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) })
    if (calls.length === 0) return tell(session, 'turn_completed', { text, durationMs: 0 })
    for (const { id, function: called } of calls) {
      tell(session, 'tool_call', { toolCallId: id, toolName: called.name })
      const result = await callPage(session, called.name, JSON.parse(called.arguments))
      session.messages.push({ role: 'tool', tool_call_id: id, content: asText(result) })
    }
  }
}

function prepare(response) {
  const id = randomUUID()
  sessions.set(id, { id, streams: new Set(), calls: new Map(), tools: new Map(), messages: [], channel: null })
  answer(response, 201, { sessionId: id, status: 'pending_approval', registrationToken: id, webmcpUrl: base })
}

function openStream(session, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  session.streams.add(response)
  response.on('close', () => session.streams.delete(response))
}

/** Starts a session's agent; `ready` once it has its session. */
async function startAgent(session) {
  session.agent = spawn(process.execPath, [AGENT], { stdio: ['pipe', 'pipe', 'ignore'] })
  const answers = new Map()
  session.ask = (method, params) =>
    new Promise((resolve) => {
      const id = answers.size + 1
      answers.set(id, resolve)
      session.agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  let rest = ''
  session.agent.stdout.setEncoding('utf8').on('data', (part) => {
    const lines = (rest + part).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      const { id, result, params } = JSON.parse(line)
      if (id !== undefined) answers.get(id)(result)
      else tell(session, 'chunk', params.update.content.text)
    }
  })
  await session.ask('initialize', { protocolVersion: 1 })
  const headers = [{ name: 'authorization', value: `Bearer ${session.id}` }]
  const mcpServers = [{ type: 'http', name: 'webmcp', url: `${base}/webmcp/mcp`, headers }]
  session.agentSession = (await session.ask('session/new', { cwd: '/', mcpServers })).sessionId
  tell(session, 'ready', null)
}

async function agentTurn(session, text) {
  tell(session, 'turn_start', null)
  await session.ask('session/prompt', { sessionId: session.agentSession, prompt: [{ type: 'text', text }] })
  tell(session, 'turn_completed', { text: '', durationMs: 0 })
}

const ACTIONS = {
  approve: (session) => void (AGENT === '' ? tell(session, 'ready', null) : startAgent(session)),
  prompt: (session, { prompt }) => void (AGENT === '' ? turn(session, prompt) : agentTurn(session, prompt)),
  close: ({ id, channel, agent: program }) => {
    channel?.close()
    program?.kill()
    sessions.delete(id)
  },
}

async function embed(request, response) {
  const { texts } = await readBody(request)
  const body = JSON.stringify({
    model: 'nomic-embed-text:latest',
    input: texts.map((text) => `search_document: ${text}`),
  })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  httpRequest(`${MODEL_URL}/v1/embeddings`, { method: 'POST', agent, headers }, async (got) => {
    const { model, data } = await readBody(got)
    answer(response, 200, { model, vectors: data.map(({ embedding }) => embedding) })
  }).end(body)
}

async function route(request, response) {
  const [, kind, id, action] = request.url.split('/')
  if (request.url === '/webmcp/mcp') return mcp(request, response)
  if (request.url === '/embed') return embed(request, response)
  if (request.url === '/session/prepare') return prepare(response)
  const session = kind === 'session' ? sessions.get(id) : undefined
  if (session === undefined) return answer(response, 404, { error: 'Not found' })
  if (action === 'stream') return openStream(session, response)
  const body = await readBody(request)
  answer(response, 200, { sessionId: id, status: 'running' })
  ACTIONS[action](session, body)
}

const server = createServer((request, response) => void route(request, response))
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (page) => {
    const { pathname, searchParams } = new URL(request.url, base)
    if (pathname === '/webmcp/register') {
      page.on('message', (text) => {
        const { token } = JSON.parse(text)
        page.send(JSON.stringify({ type: 'registerSuccess', channel: `/webmcp/channel/${token}`, token }))
      })
      return
    }
    const session = sessions.get(searchParams.get('token'))
    session.channel = page
    page.on('message', (text) => onPageMessage(session, text))
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  base = `http://127.0.0.1:${port}`
  console.log(JSON.stringify({ event: 'ready', port, url: base, version: '0', agent: 'none' }))
})
