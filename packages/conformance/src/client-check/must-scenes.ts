/** Scenes for what a client must do: each plays the situation that a clause is about, and judges the log of the engine. */
import type { CLIENT_MUST } from '../clauses/client.js'
import { holds, isSame, quote } from '../report/observe.js'
import { judgeStreamFirst, judgeToken, judgeToolsFirst } from './judge-log.js'
import { BREAK, GREET, outcomeOf, pause, SOON_MS, type Stage, until } from './stage.js'

export type Scene = (stage: Stage) => Promise<void>

/** How long nothing may happen where nothing should. */
const QUIET_MS = 1_500

/** A connected page that has a session, uses a tool and closes it: what a client does every day. */
async function everyday(stage: Stage) {
  const page = await stage.connected()
  await page.detect()
  const { session, inEngine } = await stage.start(page, { tools: [GREET] })
  await until(() => inEngine.status === 'idle')
  await session.prompt('Say hello.')
  await until(() => inEngine.status === 'idle' && session.text() !== '')
  await session.close()
  return page
}

const address: Scene = async (stage) => {
  await everyday(stage)
  const { port } = new URL(stage.engine.url)
  for (const { url } of stage.network.uses) {
    const { hostname, port: used } = new URL(url)
    holds(['127.0.0.1', 'localhost'].includes(hostname) && used === port, `it talked to ${url}`)
  }
}

const token: Scene = async (stage) => {
  await everyday(stage)
  judgeToken(stage.engine.log)
  const before = stage.engine.log.entries.length
  const reloaded = await stage.page()
  await reloaded.detect()
  const [asked] = stage.engine.log
    .requests(/health$/)
    .filter((request) => stage.engine.log.entries.indexOf(request) >= before)
  holds(asked?.token !== undefined, 'after a reload the page had no token')
  const other = await stage.anotherEngine()
  const elsewhere = await stage.page(other)
  await elsewhere.detect().catch(() => undefined)
  await elsewhere.startSession({ tools: [] }).catch(() => undefined)
  const sent = other.log.requests().find((request) => request.token !== undefined)
  holds(sent === undefined, 'it sent the token of one engine to another')
}

/** After the token was taken back the page starts over. */
async function startsOver(stage: Stage, page: Awaited<ReturnType<Stage['page']>>, old: string): Promise<void> {
  holds(await until(() => page.status() !== 'connected'), 'the page still says that it is connected')
  const before = stage.engine.log.entries.length
  await page.detect().catch(() => undefined)
  const again = stage.engine.log.entries.slice(before).find((entry) => entry.kind === 'request' && entry.token === old)
  holds(again === undefined, 'it still sends the token that was refused')
  const fresh = await stage.connect(page)
  holds(fresh !== old, 'it did not connect again')
}

const forget: Scene = async (stage) => {
  const page = await stage.page()
  const first = await stage.connect(page)
  stage.engine.pairing.grants.clear()
  await page.startSession({ tools: [] }).catch(() => undefined)
  await startsOver(stage, page, first)
  const [second = ''] = stage.engine.pairing.grants.get(stage.origin) ?? []
  stage.engine.pairing.grants.clear()
  await page.detect().catch(() => undefined)
  await startsOver(stage, page, second)
}

const click: Scene = async (stage) => {
  const page = await stage.page()
  await page.detect().catch(() => undefined)
  isSame(stage.links, [], 'the links before any click')
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const connecting = page.connect()
    // Otherwise nothing is awaited: this is still the click.
    if (page.clicked !== undefined) await page.clicked()
    const opened = stage.links.length
    connecting.catch(() => undefined)
    isSame(opened, attempt, `the number of links within click ${attempt}`)
    await pause(100)
  }
  const nonces = stage.nonces()
  holds(!nonces.includes(null), `a link was no connect link of this page: ${quote(stage.links)}`)
  holds(new Set(nonces).size === nonces.length, 'two attempts had the same nonce')
}

const claim: Scene = async (stage) => {
  const page = await stage.page()
  stage.meet(/claim$/, 'drop', { status: 403, silent: true }, 'drop')
  const connecting = page.connect()
  connecting.catch(() => undefined)
  const claims = () => stage.engine.log.requests(/claim$/)
  // Three without a readable answer, then two that get pending, then the one that gets the answer.
  holds(await until(() => claims().length >= 6, SOON_MS * 3), `it claimed ${claims().length} times, then gave up`)
  const [nonce] = stage.nonces()
  for (const { body } of claims()) isSame(nonceIn(body), nonce, 'the nonce of a claim')
  stage.engine.pairing.answer(stage.origin, true)
  holds((await outcomeOf(connecting)) === 'resolved', 'connect() did not resolve after the visitor had allowed it')
  const count = claims().length
  await pause(QUIET_MS)
  isSame(claims().length, count, 'the number of claims after the answer')
}

function nonceIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'nonce' in body ? body.nonce : undefined
}

const quiet: Scene = async (stage) => {
  const page = await stage.page()
  await page.detect().catch(() => undefined)
  await page.startSession({ tools: [GREET] }).catch(() => undefined)
  await pause(QUIET_MS)
  const [first] = stage.network.uses
  holds(
    first === undefined && stage.engine.log.entries.length === 0,
    `it sent a request: ${quote(first?.url ?? stage.engine.log.entries[0])}`,
  )
}

const streamFirst: Scene = async (stage) => {
  const page = await stage.connected()
  await stage.start(page, { prompt: 'Say hello.' })
  judgeStreamFirst(stage.engine.log)
}

const toolsFirst: Scene = async (stage) => {
  const page = await stage.connected()
  await stage.start(page, { prompt: 'Read the log.', tools: [GREET] })
  const { session, inEngine } = await stage.start(page, { tools: [GREET] })
  await until(() => inEngine.status === 'idle')
  await session.prompt('Read the log.')
  await until(() => stage.engine.log.messages('registerTool').length >= 2, QUIET_MS)
  judgeToolsFirst(stage.engine.log)
}

const answers: Scene = async (stage) => {
  const page = await stage.connected()
  const { inEngine } = await stage.start(page, { tools: [GREET, BREAK] })
  const { channel } = inEngine
  holds(await until(() => channel.connected && channel.tools.size === 2), 'the tools were not declared')
  const ids = ['greet', 'break', 'nobody'].map((tool, at) => {
    channel.send({ type: 'callTool', id: `call-${at}`, tool, arguments: {} })
    return `call-${at}`
  })
  const given = () => stage.engine.log.messages('toolResponse').map(({ message }) => message)
  holds(
    await until(() => given().length >= ids.length),
    `calls ${ids.join(', ')} got answers for ${quote(given().map(({ id }) => id))}`,
  )
  isSame(
    given()
      .map(({ id }) => String(id))
      .sort(),
    ids,
    'the ids of the answers',
  )
  isSame(given().find(({ id }) => id === 'call-0')?.result, 'hello', 'the result of greet')
  for (const id of ['call-1', 'call-2']) {
    const { error } = given().find((answer) => answer.id === id) ?? {}
    holds(
      error !== undefined,
      `${id === 'call-1' ? 'a tool that failed' : 'an unknown tool'} was answered without an error`,
    )
  }
}

const pong: Scene = async (stage) => {
  const page = await stage.connected()
  const { inEngine } = await stage.start(page, { tools: [GREET] })
  holds(await until(() => inEngine.channel.connected), 'there is no tool channel')
  inEngine.channel.send({ type: 'ping' })
  holds(await until(() => stage.engine.log.messages('pong').length === 1), 'no pong came')
}

const end: Scene = async (stage) => {
  const page = await stage.connected()
  for (const outcome of ['completed', 'cancelled', 'failed'] as const) {
    const { session, inEngine } = await stage.start(page, { tools: [GREET] })
    await until(() => inEngine.status === 'idle' && inEngine.channel.connected && inEngine.streams.size > 0)
    const before = stage.engine.log.entries.length
    inEngine.end(outcome, outcome === 'failed' ? 'It broke.' : undefined)
    holds(
      await until(() => session.outcome() === outcome),
      `after ${outcome} the page's outcome is ${quote(session.outcome())}`,
    )
    holds((await outcomeOf(session.prompt('Are you there?'))) === 'rejected', `after ${outcome} a prompt was taken`)
    await pause(QUIET_MS)
    const later = stage.engine.log.entries
      .slice(before)
      .find((entry) => entry.kind === 'socket' || (entry.kind === 'request' && entry.path.startsWith('/session/')))
    holds(later === undefined, `after ${outcome} it asked again: ${quote(later)}`)
  }
}

export const MUST_SCENES: Readonly<Record<keyof typeof CLIENT_MUST, Scene>> = {
  'client.address': address,
  'client.token': token,
  'client.forget': forget,
  'client.click': click,
  'client.claim': claim,
  'client.quiet': quiet,
  'client.stream-first': streamFirst,
  'client.tools-first': toolsFirst,
  'client.answers': answers,
  'client.pong': pong,
  'client.end': end,
}
