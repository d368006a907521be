/** A turn that waits for the page: what may be done meanwhile, stopping it, the turn after it, and cancel. Written down once. */
import { NotObservable } from '../report/observe.js'
import type { Answer } from '../wire-http.js'
import type { EventStream } from './event-stream.js'
import { KIT_TOOL } from './kit-tool.js'
import { prepareSession } from './kit-session.js'
import type { Site, Subject } from './subject.js'

export interface HeldTurn {
  readonly approvedTwice: Answer
  readonly promptedMeanwhile: Answer
  readonly stopped: Answer
  /** Right after it. */
  readonly info: Answer
  readonly promptedAfter: Answer
  /** The turn after the one that was stopped came to its end. */
  readonly nextTurnEnded: boolean
  readonly cancelled: Answer
  readonly promptedEnded: Answer
  readonly infoEnded: Answer
  readonly stream: EventStream
}

export async function recordHeldTurn(subject: Subject, site: Site): Promise<HeldTurn> {
  const { turnLimitMs, toolPrompt } = subject.options
  const session = await prepareSession(subject, site, { prompt: toolPrompt })
  subject.defer(() => session.dispose())
  const stream = await session.stream()
  const { socket } = await session.channel()
  socket.send({ type: 'registerTool', ...KIT_TOOL })
  await socket.next('ack').catch(() => undefined)
  await session.must('approve')
  const called = socket.next('callTool', { limitMs: turnLimitMs }).then(() => true)
  const over = stream.next('turn_completed', 1, turnLimitMs).then(() => false)
  over.catch(() => undefined)
  called.catch(() => undefined)
  if (!(await Promise.race([called, over])))
    throw new NotObservable('the AI did not call the tool; ask it in another way with --tool-prompt')
  const approvedTwice = await session.act('approve')
  const promptedMeanwhile = await session.act('prompt', { prompt: 'And now?' })
  const stopped = await session.act('cancel-turn')
  const info = await session.info()
  await stream.next('turn_completed').catch(() => undefined)
  const promptedAfter = await session.act('prompt', { prompt: 'Say hello.' })
  const nextTurnEnded = await stream.next('turn_completed', 2, turnLimitMs).then(
    () => true,
    () => false,
  )
  const cancelled = await session.act('cancel')
  await stream.end().catch(() => undefined)
  const promptedEnded = await session.act('prompt', { prompt: 'Are you there?' })
  const infoEnded = await session.info()
  return {
    approvedTwice,
    promptedMeanwhile,
    stopped,
    info,
    promptedAfter,
    nextTurnEnded,
    cancelled,
    promptedEnded,
    infoEnded,
    stream,
  }
}
