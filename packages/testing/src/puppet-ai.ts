/**
 * An AI that does what the prompt tells it, line by line, so that a test decides everything that happens in a turn.
 * Used by the fake engine, and as an adapter by the real one: the same suites then run against both.
 *
 *   say <text>            answers with the text, word by word
 *   think <text>          a piece of reasoning
 *   call <tool> [<json>]  calls a tool of the page and answers with its result, or with `failed: <error>`
 *   hold                  waits until the test calls `release()`
 *   fail <message>        the turn can't be carried out
 *
 * Any other line is answered as `say` would.
 */
import { type AgentAdapter, AgentError, type PageToolCall, type ToolOutcome, type TurnEvent } from '@leuria/agent'
import { TOOL_NAME_PREFIX } from '@leuria/protocol'

/** What the AI needs for one turn. */
export interface PuppetTurn {
  prompt: string
  signal: AbortSignal
  call(call: PageToolCall): Promise<ToolOutcome>
}

export interface PuppetAi {
  run(turn: PuppetTurn): AsyncGenerator<TurnEvent>
  /** Lets every turn go on that waits at a `hold`. */
  release(): void
  /** Resolves once a turn waits at a `hold`. */
  held(): Promise<void>
  /** The prompts of all turns so far. */
  readonly prompts: readonly string[]
}

/** `a blue mug` → `a `, `blue `, `mug`. */
function words(text: string): string[] {
  return text.match(/\S+\s*/g) ?? []
}

/** The gate of `hold`: turns wait at it, a test opens it. */
class Gate {
  private readonly waiting = new Set<() => void>()
  private readonly watching = new Set<() => void>()

  async pass(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (signal.aborted) {
        resolve()
        return
      }
      this.waiting.add(resolve)
      signal.addEventListener('abort', () => {
        this.waiting.delete(resolve)
        resolve()
      })
      for (const seen of this.watching) seen()
      this.watching.clear()
    })
  }

  open(): void {
    for (const resolve of this.waiting) resolve()
    this.waiting.clear()
  }

  reached(): Promise<void> {
    if (this.waiting.size > 0) return Promise.resolve()
    return new Promise((resolve) => this.watching.add(resolve))
  }
}

let callCount = 0

async function* callTool(line: string, turn: PuppetTurn): AsyncGenerator<TurnEvent> {
  const [, name = '', json = '{}'] = /^(\S+)\s*(.*)$/s.exec(line) ?? []
  const toolCallId = `call-${(callCount += 1)}`
  const toolName = `${TOOL_NAME_PREFIX}${name}`
  yield { type: 'tool_call', toolCallId, toolName, title: name, status: 'in_progress' }
  const outcome = await turn.call({ name, arguments: JSON.parse(json === '' ? '{}' : json), signal: turn.signal })
  yield { type: 'tool_call', toolCallId, toolName, title: name, status: outcome.ok ? 'completed' : 'failed' }
  if (!turn.signal.aborted) yield { type: 'text', text: outcome.ok ? outcome.text : `failed: ${outcome.error}` }
}

async function* runLine(line: string, turn: PuppetTurn, gate: Gate): AsyncGenerator<TurnEvent> {
  const [, verb, rest = ''] = /^(say|think|call|hold|fail)\b ?(.*)$/s.exec(line) ?? [null, 'say', line]
  switch (verb) {
    case 'think':
      yield { type: 'thought', text: rest }
      break
    case 'call':
      yield* callTool(rest, turn)
      break
    case 'hold':
      await gate.pass(turn.signal)
      break
    case 'fail':
      throw new AgentError('failed', rest)
    default:
      for (const text of words(rest)) yield { type: 'text', text }
  }
}

/** Makes a puppet; one may serve any number of sessions. */
export function puppetAi(): PuppetAi {
  const gate = new Gate()
  const prompts: string[] = []
  return {
    prompts,
    release: () => {
      gate.open()
    },
    held: () => gate.reached(),
    async *run(turn) {
      prompts.push(turn.prompt)
      for (const line of turn.prompt.split('\n')) {
        if (turn.signal.aborted) break
        for await (const event of runLine(line.trim(), turn, gate)) yield event
      }
      yield { type: 'turn_end', stopReason: turn.signal.aborted ? 'cancelled' : 'end_turn' }
    },
  }
}

/** The puppet as an adapter, for engines that take one. */
export function puppetAdapter(puppet: PuppetAi): AgentAdapter {
  return {
    id: 'puppet',
    name: 'Puppet AI',
    open: ({ tools }) =>
      Promise.resolve({
        prompt: (prompt, signal) => puppet.run({ prompt: prompt.text, signal, call: (call) => tools.call(call) }),
        exited: new Promise(() => undefined),
        close: () => Promise.resolve(),
      }),
  }
}
