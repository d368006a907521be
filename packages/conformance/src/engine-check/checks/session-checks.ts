/** Checks of Sessions, its Attachments and its Lifecycle. */
import { MAX_LIVE_SESSIONS } from '@leuria/protocol'
import type { SESSIONS } from '../../clauses/sessions.js'
import { holds, isSame } from '../../report/observe.js'
import { type Answer, seen } from '../../wire-http.js'
import { type Checks, type Kit, meanwhile, unseen } from '../kit.js'
import { type KitSession, textOf } from '../kit-session.js'
import { fieldsOf } from '../mcp-agent.js'
import { pause } from '../pairing-record.js'
import { SLACK_MS } from '../patient-record.js'

const ACTIONS = ['approve', 'prompt', 'cancel-turn', 'cancel', 'close']

function isRefused(answer: Answer): void {
  const { error } = fieldsOf(answer.json)
  holds(answer.status === 400 && typeof error === 'string' && error !== '', seen(answer))
}

function hasStatus(answer: Answer, status: string): void {
  holds(answer.status === 200 && fieldsOf(answer.json).status === status, seen(answer))
}

async function isTaken(kit: Kit, body: object): Promise<void> {
  await (await kit.session(body)).dispose()
}

async function isMalformed(kit: Kit, body: object): Promise<void> {
  isRefused(await kit.asShop('/session/prepare', { body }))
}

/** Prepares as many sessions as an origin may have. */
async function fill(kit: Kit): Promise<KitSession[]> {
  const { live } = await kit.shop()
  const sessions: KitSession[] = []
  while (live.size < MAX_LIVE_SESSIONS) sessions.push(await kit.session())
  return sessions
}

const IMAGE = { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' }
const TEXT = { type: 'text', text: 'three mugs', name: 'stock.txt' }

/** Everything another origin may try with a session. */
async function tries(kit: Kit, id: string): Promise<unknown[]> {
  const { origin, token } = await kit.other()
  const answers: Answer[] = []
  for (const action of ACTIONS)
    answers.push(await kit.call(`/session/${id}/${action}`, { origin, token, body: { prompt: 'x' } }))
  for (const path of ['', '/stream']) answers.push(await kit.call(`/session/${id}${path}`, { origin, token }))
  return answers.map(({ status, text }) => [status, text])
}

export const sessionChecks: Checks<keyof typeof SESSIONS> = {
  'session.prepare': async (kit) => {
    const { prepared } = await kit.session()
    isSame(textOf(prepared, 'status'), 'pending_approval', 'status')
    for (const name of ['sessionId', 'registrationToken', 'webmcpUrl']) textOf(prepared, name)
  },
  'session.stream': async (kit) => {
    const { first } = await kit.toolTurn()
    holds(
      first.status === 200 && first.events.length > 0,
      `the stream answered ${first.status} with ${first.events.length} events`,
    )
  },
  'session.approve.prompt': async (kit) => {
    const { first } = await kit.toolTurn()
    holds(
      first.names.includes('turn_start') && first.names.includes('turn_completed'),
      `events: ${[...new Set(first.names)].join(', ')}`,
    )
  },
  'session.approve.warm': async (kit) => {
    const session = await kit.session()
    const stream = await session.warm()
    holds(!stream.names.includes('turn_start'), 'a turn began without a prompt')
    hasStatus(await session.info(), 'idle')
  },
  'session.prompt': async (kit) => {
    const { prompted, first } = await kit.toolTurn()
    holds(prompted.status === 200, seen(prompted))
    holds(first.dataOf('turn_completed').length === 2, 'the follow-up turn did not end')
  },
  'session.cancel-turn': async (kit) => {
    const { stopped, info } = await kit.heldTurn()
    holds(stopped.status === 200, seen(stopped))
    hasStatus(info, 'idle')
  },
  'session.cancel-turn.next': async (kit) => {
    const { promptedAfter, nextTurnEnded } = await kit.heldTurn()
    holds(promptedAfter.status === 200, seen(promptedAfter))
    holds(nextTurnEnded, 'the next turn did not end')
  },
  'session.cancel': async (kit) => {
    const { cancelled, infoEnded } = await kit.heldTurn()
    hasStatus(cancelled, 'cancelled')
    hasStatus(infoEnded, 'cancelled')
  },
  'session.close': async (kit) => {
    const session = await kit.session()
    hasStatus(await session.act('close'), 'completed')
    hasStatus(await session.info(), 'completed')
  },
  'session.info': async (kit) => {
    const session = await kit.session()
    const info = await session.info()
    holds(info.status === 200, seen(info))
    isSame(textOf(info, 'id'), session.id, 'id')
    isSame(textOf(info, 'status'), 'pending_approval', 'status')
    isSame(textOf(info, 'origin'), session.site.origin, 'origin')
    isSame(textOf(info, 'registrationToken'), session.registrationToken, 'registrationToken')
    isSame(textOf(info, 'webmcpUrl'), textOf(session.prepared, 'webmcpUrl'), 'webmcpUrl')
    holds(!Number.isNaN(Date.parse(textOf(info, 'createdAt'))), `createdAt is ${textOf(info, 'createdAt')}`)
  },
  'session.actions': async (kit) => {
    const { approved, prompted, closed } = await kit.toolTurn()
    for (const answer of [approved, prompted, closed]) {
      holds(answer.status === 200, seen(answer))
      textOf(answer, 'sessionId')
      textOf(answer, 'status')
    }
  },
  'session.approve.twice': async (kit) => {
    const session = await kit.session()
    await session.must('approve')
    isRefused(await session.act('approve'))
  },
  'session.prompt.running': async (kit) => {
    isRefused((await kit.heldTurn()).promptedMeanwhile)
  },
  'session.prompt.ended': async (kit) => {
    isRefused((await kit.heldTurn()).promptedEnded)
  },
  'session.prompt.empty': async (kit) => {
    for (const prompt of ['', 7, null, {}]) await isMalformed(kit, { prompt })
  },
  'session.own': async (kit) => {
    const session = await kit.session()
    const unknown = await tries(kit, '00000000-0000-4000-8000-000000000000')
    isSame(await tries(kit, session.id), unknown, 'what another origin gets for a session')
    isSame(
      unknown.map((answer) => (Array.isArray(answer) ? (answer[0] as unknown) : answer)),
      Array(7).fill(404),
      'the statuses',
    )
    hasStatus(await session.info(), 'pending_approval')
  },
  'session.limit': async (kit) => {
    await fill(kit)
    isRefused(await kit.asShop('/session/prepare', { body: {} }))
  },
  'session.limit.frees': async (kit) => {
    const [first] = await fill(kit)
    await first?.must('close')
    await kit.session()
  },
  'session.max-turns': async (kit) => {
    for (const maxTurns of [-3, 0, 51, 1_000]) await isTaken(kit, { maxTurns })
  },
  'session.max-turns.caps': unseen('how many steps an AI takes is its own affair'),
  'session.system-prompt': unseen('what the AI was told is not on the wire'),
  'session.ai.visitor': async (kit) => {
    const agent = async () => fieldsOf((await kit.asShop('/health')).json).agent
    const before = await agent()
    await kit.asShop('/session/prepare', { body: { agent: 'another', model: 'another' } }).then(async (answer) => {
      if (answer.status === 201) await kit.asShop(`/session/${textOf(answer, 'sessionId')}/close`, { body: {} })
    })
    isSame(await agent(), before, 'the AI that /health names')
  },
  'session.ai.changed': unseen("the visitor's choice is made outside of the protocol"),
  'session.start-limit': unseen('it needs an AI that does not start'),
  'session.ended.readable': async (kit) => {
    const session = await kit.session()
    await session.must('close')
    hasStatus(await session.info(), 'completed')
    const stream = await session.stream()
    holds(stream.status === 200, `the stream answered ${stream.status}`)
  },
  'session.ended.gone': meanwhile(async (kit) => {
    const { readableMs } = kit.options.times
    kit.subject.needsMs(readableMs)
    const session = await kit.session({}, await kit.other())
    const closedAt = performance.now()
    await session.must('close')
    await pause(readableMs * 0.8)
    const still = await session.info()
    // On a busy machine the answer may come too late to tell anything.
    if (performance.now() - closedAt < readableMs) hasStatus(still, 'completed')
    await pause(readableMs * 0.2 + SLACK_MS)
    const gone = await session.info()
    holds(gone.status === 404, seen(gone))
  }),
  'attachment.ten': (kit) => isTaken(kit, { prompt: 'Look.', attachments: Array(10).fill(TEXT) }),
  'attachment.eleven': (kit) => isMalformed(kit, { prompt: 'Look.', attachments: Array(11).fill(TEXT) }),
  'attachment.image': async (kit) => {
    await isTaken(kit, { attachments: [IMAGE, { ...IMAGE, name: 'lamp.png' }] })
    for (const odd of [
      { ...IMAGE, mimeType: 'text/html' },
      { ...IMAGE, data: 'not base64!' },
      { type: 'image', mimeType: 'image/png' },
    ])
      await isMalformed(kit, { attachments: [odd] })
  },
  'attachment.text': async (kit) => {
    await isTaken(kit, { attachments: [TEXT, { type: 'text', text: 'no name' }] })
    for (const odd of [{ type: 'text' }, { type: 'text', text: 7 }, { type: 'video', data: 'aGVsbG8=' }])
      await isMalformed(kit, { attachments: [odd] })
  },
  'attachment.to-ai': unseen('what the AI was given is not on the wire'),
}
