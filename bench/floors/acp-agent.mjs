// The smallest agent that speaks ACP: introduces itself, comes to the tools that it is given over HTTP, repeats what it is
// told. `say <tokens>`: so many tokens, as fast as they are taken.
import { createInterface } from 'node:readline'

const { fetch } = globalThis
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' } }

/** Tokens joined in one write, so that the agent stays out of the way. */
const BATCH = 50

function chunkOf(sessionId, text) {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })}\n`
}

async function say(sessionId, count) {
  const token = chunkOf(sessionId, 'token ')
  for (let sent = 0; sent < count; sent += BATCH) {
    const part = token.repeat(Math.min(BATCH, count - sent))
    if (!process.stdout.write(part)) await new Promise((resolve) => process.stdout.once('drain', resolve))
  }
}

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
  async 'session/prompt'({ sessionId, prompt }) {
    const text = prompt.map((block) => block.text).join('')
    const count = /say (\d+)/.exec(text)?.[1]
    if (count === undefined) process.stdout.write(chunkOf(sessionId, text))
    else await say(sessionId, Number(count))
    return { stopReason: 'end_turn' }
  },
}

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id !== undefined) send({ id, result: (await answers[method]?.(params)) ?? {} })
  })
  .on('close', () => process.exit(0))
