/** Scenes for what a client should do. */
import type { CLIENT_SHOULD } from '../clauses/client.js'
import { cannotSee, holds, isSame, quote } from '../report/observe.js'
import type { FakeTurn } from '../fake-engine/fake-session.js'
import type { Scene } from './must-scenes.js'
import { GREET, outcomeOf, pause, SOON_MS, until } from './stage.js'

/** "Short": several times what the protocol page names as an example. */
const HEALTH_LIMIT_MS = 6_000
/** "About 10 s". */
const TOLD_BETWEEN_MS = [5_000, 16_000] as const
/** Reopening with backoff may take several attempts. */
const REOPEN_LIMIT_MS = 20_000
/** Later waits of a backoff are longer than the earlier ones by at least this. */
const GROWTH = 1.3

const health: Scene = async (stage) => {
  const page = await stage.connected()
  stage.meetAll(/health$/, 'hold')
  holds(
    (await outcomeOf(page.detect(), HEALTH_LIMIT_MS)) !== 'open',
    `after ${HEALTH_LIMIT_MS / 1_000} s it still waited for /health`,
  )
  holds(await until(() => page.status() === 'not-running'), `without an answer the page says ${page.status()}`)
}

const notRunning: Scene = async (stage) => {
  const page = await stage.page()
  stage.meetAll(/claim$/, 'drop')
  const since = performance.now()
  page.connect().catch(() => undefined)
  const [earliest, latest] = TOLD_BETWEEN_MS
  const isTold = await until(() => page.status() === 'not-running', latest)
  const tookMs = Math.round(performance.now() - since)
  holds(isTold, `after ${tookMs} ms the page says ${page.status()}`)
  holds(tookMs >= earliest, `the visitor was told after ${tookMs} ms`)
  const before = stage.links.length
  page.connect().catch(() => undefined)
  if (page.clicked !== undefined) await page.clicked()
  holds(stage.links.length === before + 1, 'a second click opened no link')
}

/** A turn that the scene leads by hand. */
function turnByHand(): { ai: (turn: FakeTurn) => Promise<void>; turn: Promise<FakeTurn> } {
  let begin: (turn: FakeTurn) => void = () => undefined
  const turn = new Promise<FakeTurn>((resolve) => (begin = resolve))
  const ai = (begun: FakeTurn): Promise<void> => {
    begin(begun)
    return new Promise((resolve) => {
      begun.signal.addEventListener('abort', () => {
        resolve()
      })
    })
  }
  return { ai, turn }
}

const streamAgain: Scene = async (stage) => {
  const { engine } = stage
  const page = await stage.connected()
  const { ai, turn } = turnByHand()
  engine.ai = ai
  const { session, inEngine } = await stage.start(page, { prompt: 'Laugh.' })
  const { say } = await turn
  say('ha ')
  say('ha ')
  holds(await until(() => session.text() === 'ha ha '), `the page has the text ${quote(session.text())}`)
  const streams = () => engine.log.requests(/^GET .*\/stream$/)
  const before = streams().length
  stage.meet(/stream$/, 'drop', 'drop', 'drop')
  const droppedAt = performance.now()
  inEngine.dropStreams()
  holds(
    await until(() => streams().length >= before + 4, REOPEN_LIMIT_MS),
    `it asked for the stream ${streams().length - before} times again`,
  )
  holds(await until(() => inEngine.streams.size > 0), 'the stream was not opened again')
  say('ha')
  await until(() => session.text().length >= 'ha ha ha'.length)
  await pause(200)
  isSame(session.text(), 'ha ha ha', 'the text after the stream was opened again')
  const times = [
    droppedAt,
    ...streams()
      .slice(before)
      .map(({ at }) => at),
  ]
  const [first = 0, second = 0, third = 0, fourth = 0] = times
    .slice(1)
    .map((at, index) => Math.round(at - (times[index] ?? 0)))
  holds(third + fourth > (first + second) * GROWTH, `it waited ${first}, ${second}, ${third}, ${fourth} ms`)
}

const channelAgain: Scene = async (stage) => {
  const page = await stage.connected()
  const { inEngine } = await stage.start(page, { tools: [GREET] })
  const { channel } = inEngine
  holds(await until(() => channel.tools.size === 1), 'the tool was not declared')
  channel.tools.clear()
  channel.drop()
  holds(await until(() => channel.connected, REOPEN_LIMIT_MS), 'the channel was not opened again')
  holds(await until(() => channel.tools.has(GREET.name)), 'the tool was not declared again')
  isSame(stage.engine.log.sockets(/register$/).length, 1, 'the number of registrations')
}

const close: Scene = async (stage) => {
  const page = await stage.connected()
  const { session } = await stage.start(page)
  await session.close()
  const closes = () => stage.engine.log.requests(/close$/).length
  holds(await until(() => closes() === 1), 'close() sent no /close')
  await stage.start(page, { tools: [GREET] })
  await stage.start(page)
  page.leave()
  holds(await until(() => closes() === 3), `leaving the page closed ${closes() - 1} of 2 sessions`)
  const leaving = stage.network.uses.filter(({ url }) => url.endsWith('/close')).slice(-2)
  if (leaving.length === 0) cannotSee('the client uses the network in its own way')
  holds(
    leaving.every(({ keepalive }) => keepalive),
    'a session was closed without keepalive',
  )
}

/** What no visitor should read. */
const RAW = 'ECONNREFUSED sqlite: turn_completed 0.2.0'
const RAW_PARTS = /ECONN|sqlite|turn_completed|not_paired|\d+\.\d+\.\d+|\{|\b[45]\d\d\b/

const words: Scene = async (stage) => {
  const page = await stage.connected()
  stage.meet(/prepare$/, { status: 500, body: { error: RAW } }, { status: 400, body: { error: RAW, code: 'odd_code' } })
  for (let time = 0; time < 2; time += 1) await page.startSession({ tools: [] }).catch(() => undefined)
  const { session, inEngine } = await stage.start(page)
  await until(() => inEngine.streams.size > 0)
  inEngine.end('failed', RAW)
  await until(() => session.outcome() !== null, SOON_MS)
  const shown = page.shown()
  if (shown.length === 0) cannotSee('the page shows nothing about Leuria')
  for (const text of shown) holds(!RAW_PARTS.test(text), `the visitor read ${quote(text)}`)
}

export const SHOULD_SCENES: Readonly<Record<keyof typeof CLIENT_SHOULD, Scene>> = {
  'client.health': health,
  'client.not-running': notRunning,
  'client.stream-again': streamAgain,
  'client.channel-again': channelAgain,
  'client.close': close,
  'client.words': words,
}
