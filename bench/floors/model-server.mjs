// A model server at the least cost: the words of the prompt say what it answers. It is the same for every variant.
//   `say <tokens>`            so many tokens, as fast as the socket takes them
//   `say <tokens> at <rate>`  so many a second
//   `call <times>`            the page's first tool so often, one after another, then a word
// Speaks chat completions, the list of models, and the routes by which Ollama is found; embeddings.
import { Buffer } from 'node:buffer'
import { createServer } from 'node:http'
import { clearInterval, setInterval } from 'node:timers'

const MODEL = 'bench'
/** What the vectors are made of; their length is that of common small models. */
const DIMENSIONS = 768

function chunk(delta, finish = null) {
  const choice = { index: 0, delta, finish_reason: finish }
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: MODEL, choices: [choice] })}\n\n`
}

const TOKEN = chunk({ content: 'token ' })
const END = `${chunk({}, 'stop')}data: [DONE]\n\n`
/** Tokens joined in one write: what a fast server does, and what keeps this one out of the way. */
const BATCH = 50

function lastText(messages) {
  const said = messages.findLast(({ role }) => role === 'user')?.content
  return typeof said === 'string' ? said : (said?.find(({ type }) => type === 'text')?.text ?? '')
}

async function sayFast(response, count) {
  for (let sent = 0; sent < count; sent += BATCH) {
    const part = TOKEN.repeat(Math.min(BATCH, count - sent))
    if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end(END)
}

function sayAt(response, count, rate) {
  let sent = 0
  const timer = setInterval(() => {
    response.write(chunk({ content: `${process.hrtime.bigint()} ` }))
    sent += 1
    if (sent < count) return
    clearInterval(timer)
    response.end(END)
  }, 1_000 / rate)
  response.on('close', () => clearInterval(timer))
}

function callTool(response, { tools, messages }, times) {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const done = messages.slice(asked).filter(({ role }) => role === 'tool').length
  if (done >= times) {
    response.end(TOKEN + END)
    return
  }
  const call = { name: tools[0].function.name, arguments: '{"text":"a"}' }
  const toolCalls = [{ index: 0, id: `call_${done}`, type: 'function', function: call }]
  response.end(`${chunk({ role: 'assistant', tool_calls: toolCalls })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
}

function chat(response, body) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const [, verb, count, rate] = /(say|call) (\d+)(?: at (\d+))?/.exec(lastText(body.messages)) ?? []
  if (verb === 'call') callTool(response, body, Number(count))
  else if (rate === undefined) void sayFast(response, Number(count ?? 1))
  else sayAt(response, Number(count), Number(rate))
}

function vectors(count) {
  return Array.from({ length: count }, () => Array.from({ length: DIMENSIONS }, (_, place) => place / 10_000))
}

function answer(response, body) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const ROUTES = {
  '/v1/models': (response) => answer(response, { object: 'list', data: [{ id: MODEL, object: 'model' }] }),
  '/v1/chat/completions': chat,
  '/api/version': (response) => answer(response, { version: '0.12.0' }),
  '/api/tags': (response) => answer(response, { models: [{ name: 'nomic-embed-text:latest', size: 1, details: {} }] }),
  '/api/ps': (response) => answer(response, { models: [] }),
  '/api/show': (response) => answer(response, { capabilities: ['embedding'], model_info: {}, details: {} }),
  '/v1/embeddings': (response, { input }) =>
    answer(response, {
      object: 'list',
      model: 'nomic-embed-text:latest',
      data: vectors([input].flat().length).map((embedding, index) => ({ object: 'embedding', index, embedding })),
    }),
}

const server = createServer((request, response) => {
  const route = ROUTES[request.url]
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    if (route === undefined) response.writeHead(404).end()
    else route(response, parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString()))
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  console.log(JSON.stringify({ event: 'ready', port, url: `http://127.0.0.1:${port}`, version: '0', agent: 'none' }))
})
