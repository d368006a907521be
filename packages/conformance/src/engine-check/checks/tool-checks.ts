/** Checks of Page tools that concern messages, calls and the AI's side; the kit calls the tools in the AI's place, over MCP. */
import type { PAGE_TOOLS } from '../../clauses/page-tools.js'
import { cannotSee, holds, isSame, quote } from '../../report/observe.js'
import { seen } from '../../wire-http.js'
import { type Checks, type Kit, meanwhile } from '../kit.js'
import { KIT_TOOL } from '../kit-tool.js'
import { fieldsOf, listOf, McpAgent } from '../mcp-agent.js'
import type { Message } from '../page-socket.js'
import { pause } from '../pairing-record.js'
import { SLACK_MS } from '../patient-record.js'
import type { ToolBench } from '../tool-bench.js'
import type { channelChecks } from './channel-checks.js'

/** A channel that was dropped is known as such after less than this. */
const NOTICE_MS = 500
/** "At once". */
const AT_ONCE_MS = 5_000

async function declared(kit: Kit, tool: { name: string } & Record<string, unknown>) {
  const bench = await kit.tools()
  await bench.declare(tool)
  const listed = await bench.agent.tool(tool.name)
  holds(listed !== undefined, `the AI does not see ${tool.name}`)
  return { bench, listed }
}

/** Calls a tool whose page answers so. */
async function outcome(kit: Kit, name: string, reply: { result: unknown } | { error: unknown }) {
  const bench = await kit.tools()
  await bench.declare({ name }, () => reply)
  return bench.agent.call(name)
}

/** Messages of this type that come from now on. */
function coming(bench: ToolBench, type: string): () => Promise<Message> {
  let from = bench.socket.inbox.items.length
  return async () => {
    const message = await bench.socket.next(type, { from })
    from = bench.socket.inbox.items.indexOf(message) + 1
    return message
  }
}

/** A session of the other site with a tool that never answers: for what takes long. */
async function slowBench(kit: Kit) {
  const session = await kit.session({}, await kit.other())
  await session.warm()
  const { socket, token } = await session.channel()
  socket.send({ type: 'registerTool', name: 'wait' })
  await socket.next('ack').catch(() => undefined)
  const agent = new McpAgent(new URL('/webmcp/mcp', kit.options.url), token)
  await agent.initialize()
  return { agent, socket }
}

export const toolChecks: Checks<Exclude<keyof typeof PAGE_TOOLS, keyof typeof channelChecks>> = {
  'tools.ack': async (kit) => {
    const bench = await kit.tools()
    const ack = await bench.register({ type: 'registerTool', name: 'acknowledged' })
    holds(ack?.registration === 'registerTool' && ack.name === 'acknowledged', `the answer was ${quote(ack)}`)
  },
  'tools.replace': async (kit) => {
    const { bench } = await declared(kit, { name: 'replaced', description: 'First.' })
    await bench.declare({ name: 'replaced', description: 'Second.' })
    const all = (await bench.agent.tools()).filter(({ name }) => name === 'replaced')
    isSame(
      all.map(({ description }) => description),
      ['Second.'],
      'the descriptions',
    )
  },
  'tools.fields': async (kit) => {
    const inputSchema = { type: 'object', properties: { sku: { type: 'number' } }, required: ['sku'] }
    const { listed } = await declared(kit, { name: 'described', description: 'Finds lamps.', inputSchema })
    isSame(listed.description, 'Finds lamps.', 'description')
    const { type, properties, required } = fieldsOf(listed.inputSchema)
    isSame({ type, properties, required }, inputSchema, 'inputSchema')
  },
  'tools.schema.default': async (kit) => {
    const { listed } = await declared(kit, { name: 'bare' })
    const { type, required = [] } = fieldsOf(listed.inputSchema)
    isSame([type, required], ['object', []], 'the schema')
  },
  'tools.nested': async (kit) => {
    const bench = await kit.tools()
    await bench.register({ type: 'registerTool', tool: { name: 'nested', description: 'Inside.' } })
    isSame((await bench.agent.tool('nested'))?.description, 'Inside.', 'the description of a nested tool')
  },
  'tools.deregister': async (kit) => {
    const { bench } = await declared(kit, { name: 'removed' })
    bench.socket.send({ type: 'deregisterTool', name: 'removed' })
    // The ack of a later declaration says that the earlier message has been dealt with.
    await bench.declare({ name: 'after_removed' })
    holds((await bench.agent.tool('removed')) === undefined, 'the AI still sees the tool')
  },
  'tools.resource': async (kit) => {
    const bench = await kit.tools()
    await bench.register({ type: 'registerResource', uri: 'shop://cart', name: 'Cart' })
    const listed = listOf((await bench.agent.ask('resources/list')).resources).map(fieldsOf)
    holds(
      listed.some(({ uri, name }) => uri === 'shop://cart' && name === 'Cart'),
      `resources/list gave ${quote(listed)}`,
    )
  },
  'tools.resource.read': async (kit) => {
    const bench = await kit.tools()
    await bench.register({ type: 'registerResource', uri: 'shop://stock', name: 'Stock' })
    const next = coming(bench, 'readResource')
    const reading = bench.agent.ask('resources/read', { uri: 'shop://stock' })
    reading.catch(() => undefined)
    const { id, uri } = await next()
    isSame([typeof id, uri], ['string', 'shop://stock'], 'readResource')
    bench.socket.send({ type: 'resourceResponse', id, result: 'three lamps' })
    const { contents } = await reading
    holds(JSON.stringify(contents).includes('three lamps'), `the AI got ${quote(contents)}`)
  },
  'tools.prompt': async (kit) => {
    const bench = await kit.tools()
    await bench.register({ type: 'registerPrompt', name: 'greet', description: 'A greeting.' })
    const listed = listOf((await bench.agent.ask('prompts/list')).prompts).map(fieldsOf)
    holds(
      listed.some(({ name, description }) => name === 'greet' && description === 'A greeting.'),
      `prompts/list gave ${quote(listed)}`,
    )
  },
  'tools.prompt.get': async (kit) => {
    const bench = await kit.tools()
    await bench.register({ type: 'registerPrompt', name: 'welcome', arguments: [{ name: 'who', required: true }] })
    const next = coming(bench, 'getPrompt')
    const getting = bench.agent.ask('prompts/get', { name: 'welcome', arguments: { who: 'Ana' } })
    getting.catch(() => undefined)
    const { id, name, arguments: args } = await next()
    isSame([typeof id, name, args], ['string', 'welcome', { who: 'Ana' }], 'getPrompt')
    const messages = [{ role: 'user', content: { type: 'text', text: 'Good day, Ana' } }]
    bench.socket.send({ type: 'promptResponse', id, result: { messages } })
    holds(JSON.stringify(await getting).includes('Good day, Ana'), 'the AI did not get what the page answered')
  },
  'tools.ping.page': async (kit) => {
    const bench = await kit.tools()
    const next = coming(bench, 'pong')
    bench.socket.send({ type: 'ping' })
    await next()
  },
  'tools.ping.engine': meanwhile(async (kit) => {
    const { pingMs } = kit.options.times
    kit.subject.needsMs(2 * pingMs)
    const { socket } = await (await kit.session({}, await kit.other())).channel()
    const first = await socket.next('ping', { limitMs: pingMs + SLACK_MS })
    await socket.next('ping', { limitMs: pingMs + SLACK_MS, from: socket.inbox.items.indexOf(first) + 1 })
  }),
  'tools.call': async (kit) => {
    const bench = await kit.tools()
    await bench.declare({ name: 'take' }, () => ({ result: 'taken' }))
    const next = coming(bench, 'callTool')
    isSame(await bench.agent.call('take', { what: 'lamp' }), { failed: false, text: 'taken' }, 'the outcome')
    const { id, tool, arguments: args } = await next()
    isSame([typeof id, tool, args], ['string', 'take', { what: 'lamp' }], 'callTool')
  },
  'tools.call.same-id': async (kit) => {
    const bench = await kit.tools()
    await bench.declare({ name: 'echo' })
    const next = coming(bench, 'callTool')
    const words = ['one', 'two']
    const calling = Promise.all(words.map((word) => bench.agent.call('echo', { word })))
    calling.catch(() => undefined)
    const calls = [await next(), await next()]
    for (const { id, arguments: args } of calls.reverse())
      bench.socket.send({ type: 'toolResponse', id, result: String(fieldsOf(args).word) })
    isSame(
      (await calling).map(({ text }) => text),
      words,
      'the results',
    )
  },
  'tools.call.limit': meanwhile(async (kit) => {
    const { callMs } = kit.options.times
    kit.subject.needsMs(callMs)
    const { agent } = await slowBench(kit)
    const since = Date.now()
    const { failed } = await agent.call('wait', {}, callMs + SLACK_MS * 2)
    const tookMs = Date.now() - since
    holds(failed, 'the call did not fail')
    holds(tookMs >= callMs * 0.95, `the engine gave up after ${tookMs} ms`)
  }),
  'tools.call.unconnected': async (kit) => {
    const bench = await kit.tools()
    await bench.declare({ name: 'away' }, () => ({ result: 'here' }))
    bench.socket.drop()
    await pause(NOTICE_MS)
    const outcomeAway = await bench.agent.call('away', {}, AT_ONCE_MS)
    await bench.reopen()
    holds(outcomeAway.failed, `the call gave ${quote(outcomeAway.text)}`)
  },
  'tools.result.text': async (kit) => {
    isSame(
      await outcome(kit, 'say_text', { result: 'three "lamps"' }),
      { failed: false, text: 'three "lamps"' },
      'the outcome',
    )
  },
  'tools.result.json': async (kit) => {
    const result = [{ name: 'Celadon mug', price: 24 }]
    const { failed, text } = await outcome(kit, 'say_list', { result })
    holds(!failed, `the call failed: ${text}`)
    try {
      isSame(JSON.parse(text), result, 'the result')
    } catch {
      holds(false, `the AI got ${quote(text)}`)
    }
  },
  'tools.result.error': async (kit) => {
    const { failed, text } = await outcome(kit, 'fail_text', { error: 'The catalog is offline.' })
    holds(
      failed && text.includes('The catalog is offline.'),
      `the call ${failed ? 'failed with' : 'gave'} ${quote(text)}`,
    )
  },
  'tools.result.error-object': async (kit) => {
    const { failed, text } = await outcome(kit, 'fail_object', { error: { message: 'Sold out.' } })
    holds(failed && text.includes('Sold out.'), `the call ${failed ? 'failed with' : 'gave'} ${quote(text)}`)
  },
  'mcp.endpoint': async (kit) => {
    await (await kit.tools()).agent.tools()
  },
  'mcp.token': async (kit) => {
    const agent = new McpAgent(new URL('/webmcp/mcp', kit.options.url), 'wrong')
    const answer = await agent.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    holds(answer.status === 401 || answer.status === 403, seen(answer))
  },
  'mcp.name': async (kit) => {
    const { serverInfo } = (await kit.tools()).server
    isSame(fieldsOf(serverInfo).name, 'webmcp', 'the name of the server')
  },
  'mcp.pages': async (kit) => {
    const { agent } = await kit.tools()
    const { origin, token } = await kit.shop()
    for (const call of [{ origin, token }, { origin: kit.options.url.origin }]) {
      const answer = await agent.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, call)
      holds(answer.status === 403, seen(answer))
    }
  },
  'ai.calls': async (kit) => {
    const { calls } = await kit.toolTurn()
    if (calls.length === 0) cannotSee('the AI did not call the tool; ask it in another way with --tool-prompt')
    isSame(calls[0]?.tool, KIT_TOOL.name, 'the tool')
  },
  'ai.tool-name': async (kit) => {
    const { first } = await kit.toolTurn()
    const names = first.dataOf('tool_call').map((data) => fieldsOf(data).toolName)
    const ours = names.filter((name) => typeof name === 'string' && name.includes(KIT_TOOL.name))
    if (ours.length === 0) cannotSee('no tool_call named the tool')
    for (const name of ours) isSame(name, `mcp__webmcp__${KIT_TOOL.name}`, 'toolName')
  },
}
