/** What a scripted AI does in one turn, as data: events to emit, and the ways to misbehave. */
import type { AgentExit, PageTools, TurnEvent } from '@leuria/agent'
import { pause, systemClock, type Clock } from '@leuria/clock'

export type ScriptStep =
  | TurnEvent
  /** Waits on the clock; a cancel cuts it short. */
  | { type: 'pause'; ms: number }
  /** Does nothing until the turn is cancelled or the session closed. */
  | { type: 'hang' }
  /** The same text many times; lets other work run after every `perTick` pieces. @default all in one go */
  | { type: 'flood'; text: string; count: number; perTick?: number }
  /** Calls a tool of the page and reports it as `tool_call` events; the result's text becomes a piece of the answer. */
  | { type: 'call'; name: string; arguments: unknown }
  /** The turn can't be carried out. */
  | { type: 'throw'; error: Error }
  /** The AI's program ends by itself; the turn then hangs, as with a program that is gone. */
  | { type: 'exit'; exit: AgentExit }

export type TurnScript = readonly ScriptStep[]

export interface ScriptPlayer {
  tools: PageTools
  /** Aborted when the turn should stop. A script that ignores a cancel gets a signal that only `close` aborts. */
  signal: AbortSignal
  clock?: Clock
  exit(exit: AgentExit): void
}

/** Plays a script: yields its events, stops when `signal` is aborted. */
export async function* playScript(
  script: TurnScript,
  player: ScriptPlayer,
): AsyncGenerator<TurnEvent, void, undefined> {
  for (const step of script) {
    if (player.signal.aborted) return
    yield* playStep(step, player)
  }
}

async function* playStep(step: ScriptStep, player: ScriptPlayer): AsyncGenerator<TurnEvent, void, undefined> {
  switch (step.type) {
    case 'pause':
      await pause(player.clock ?? systemClock, step.ms, player.signal)
      return
    case 'hang':
      await untilAborted(player.signal)
      return
    case 'flood':
      yield* flood(step, player.signal)
      return
    case 'call':
      yield* callTool(step, player)
      return
    case 'throw':
      throw step.error
    case 'exit':
      player.exit(step.exit)
      await untilAborted(player.signal)
      return
    default:
      yield step
  }
}

async function* flood(
  { text, count, perTick = Infinity }: { text: string; count: number; perTick?: number },
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void, undefined> {
  for (let sent = 1; sent <= count && !signal.aborted; sent += 1) {
    yield { type: 'text', text }
    if (sent % perTick === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

let calls = 0

async function* callTool(
  call: { name: string; arguments: unknown },
  { tools, signal }: ScriptPlayer,
): AsyncGenerator<TurnEvent, void, undefined> {
  const head = { type: 'tool_call', toolCallId: `call-${++calls}`, toolName: `mcp__webmcp__${call.name}` } as const
  yield { ...head, title: call.name, status: 'in_progress' }
  const outcome = await tools.call({ name: call.name, arguments: call.arguments, signal })
  yield { ...head, status: outcome.ok ? 'completed' : 'failed' }
  const text = outcome.ok ? outcome.text : outcome.error
  if (text !== '') yield { type: 'text', text }
}

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
