/** Checks of Page tools that concern the way to the channel: upgrades, tokens, register, reconnecting. */
import type { PAGE_TOOLS } from '../../clauses/page-tools.js'
import { holds, isSame, quote } from '../../report/observe.js'
import { type Checks, type Kit } from '../kit.js'
import { textOf } from '../kit-session.js'
import { fieldsOf, McpAgent } from '../mcp-agent.js'
import { openSocket } from '../page-socket.js'

/** The inner token of a blob. @throws ClauseBroken when it isn't one */
function readBlob(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(Buffer.from(text, 'base64').toString()))
  } catch {
    holds(false, `registrationToken is no base64 of JSON: ${quote(text)}`)
  }
}

type Way = Extract<
  keyof typeof PAGE_TOOLS,
  `tools.${'upgrade' | 'url' | 'token' | 'register' | 'channel' | 'declare'}${string}`
>

async function upgradeStatus(kit: Kit, path: string, origin: string): Promise<number> {
  const { status, socket } = await openSocket(kit.subject.socketUrl(path), origin)
  socket?.drop()
  return status
}

export const channelChecks: Checks<Way> = {
  'tools.upgrade.granted': async (kit) => {
    const { origin } = await kit.shop()
    isSame(await upgradeStatus(kit, '/webmcp/register', origin), 101, 'the answer to the upgrade')
  },
  'tools.upgrade.refused': async (kit) => {
    for (const path of ['/webmcp/register', '/webmcp/channel/a?token=b'])
      isSame(
        await upgradeStatus(kit, path, kit.subject.origin('stranger')),
        403,
        `the answer to the upgrade of ${path}`,
      )
  },
  'tools.url': async (kit) => {
    const { prepared } = await kit.session()
    isSame(textOf(prepared, 'webmcpUrl'), `http://127.0.0.1:${kit.options.url.port}`, 'webmcpUrl')
  },
  'tools.token.blob': async (kit) => {
    const { server, token } = readBlob((await kit.session()).registrationToken)
    isSame(server, `ws://127.0.0.1:${kit.options.url.port}`, 'server')
    holds(typeof token === 'string' && token !== '', `token is ${quote(token)}`)
  },
  'tools.register.blob': async (kit) => {
    const session = await kit.session()
    isSame((await session.register()).type, 'registerSuccess', 'the reply')
  },
  'tools.register.inner': async (kit) => {
    const session = await kit.session()
    const { token } = readBlob(session.registrationToken)
    isSame((await session.register(String(token))).type, 'registerSuccess', 'the reply')
  },
  'tools.register.success': async (kit) => {
    const reply = await (await kit.session()).register()
    holds(
      /^\/webmcp\/channel\/[^/]+$/.test(String(reply.channel)) && typeof reply.token === 'string',
      `the reply is ${quote({ ...reply, token: '…' })}`,
    )
  },
  'tools.register.error': async (kit) => {
    const reply = await (await kit.session()).register('wrong')
    holds(reply.type === 'error' && typeof reply.message === 'string', `the reply is ${quote(reply)}`)
  },
  'tools.register.once': async (kit) => {
    const session = await kit.session()
    await session.register()
    isSame((await session.register()).type, 'error', 'the reply to the second register')
  },
  'tools.channel.wrong': async (kit) => {
    const session = await kit.session()
    const { path } = await session.channel()
    for (const query of ['', '?token=', '?token=wrong'])
      isSame(
        await upgradeStatus(kit, path + query, session.site.origin),
        401,
        `the answer to the upgrade with "${query}"`,
      )
  },
  'tools.channel.again': async (kit) => {
    const session = await kit.session()
    const { path, token, socket } = await session.channel()
    socket.drop()
    for (let time = 0; time < 2; time += 1) (await session.openChannel(path, token)).drop()
  },
  'tools.channel.ended': async (kit) => {
    const session = await kit.session()
    const { socket, path, token } = await session.channel()
    await session.must('close')
    await socket.closed()
    const status = await upgradeStatus(kit, `${path}?token=${encodeURIComponent(token)}`, session.site.origin)
    holds(status !== 101, 'the channel of an ended session opened again')
  },
  'tools.declare.before': async (kit) => {
    const session = await kit.session()
    const { socket, token } = await session.channel()
    socket.send({ type: 'registerTool', name: 'declared_early' })
    await socket.next('ack').catch(() => undefined)
    await session.warm()
    const agent = new McpAgent(new URL('/webmcp/mcp', kit.options.url), token)
    await agent.initialize()
    holds((await agent.tool('declared_early')) !== undefined, 'the AI does not see the tool')
  },
  'tools.declare.after': async (kit) => {
    const bench = await kit.tools()
    await bench.declare({ name: 'declared_late' })
    holds((await bench.agent.tool('declared_late')) !== undefined, 'the AI does not see the tool')
  },
  'tools.declare.stay': async (kit) => {
    const bench = await kit.tools()
    await bench.declare({ name: 'stays' }, () => ({ result: 'still here' }))
    await bench.reopen()
    isSame(
      await bench.agent.call('stays'),
      { failed: false, text: 'still here' },
      'a call after the channel was opened again',
    )
  },
}
