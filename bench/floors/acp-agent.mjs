// The smallest agent that speaks ACP: introduces itself, comes to the tools that it is given over HTTP, repeats what it is told.
import { createInterface } from 'node:readline'

const { fetch } = globalThis
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' } }

async function comeToTools({ url, headers }) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE }),
  })
  await answer.text()
}

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } }, authMethods: [] }),
  async 'session/new'({ mcpServers: [server] }) {
    await comeToTools(server)
    return { sessionId: 's1' }
  },
  'session/prompt'({ sessionId, prompt }) {
    const content = { type: 'text', text: prompt.map(({ text }) => text).join('') }
    send({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } } })
    return { stopReason: 'end_turn' }
  },
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id !== undefined) send({ id, result: (await answers[method]?.(params)) ?? {} })
  })
  .on('close', () => process.exit(0))
