/**
 * What the scripted models of real agents say, whatever API they are asked through. Stateless: the visitor's prompt
 * carries the script (`@script [{"call":"search"},{"say":"Found {{result}}"}]`), and how far it is follows from the
 * conversation that comes with each request. Retries, parallel sessions and restarts thus stay right.
 */
import * as z from 'zod/mini'

const agentModelStep = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ think: z.string() }),
  /** `anyway`: also when no such tool is offered, by exactly this name. */
  z.strictObject({
    call: z.string(),
    args: z._default(z.record(z.string(), z.unknown()), {}),
    anyway: z.optional(z.boolean()),
  }),
  /** Says nothing more and keeps the answer open until the caller hangs up. */
  z.strictObject({ stall: z.literal(true) }),
])
export type AgentModelStep = z.infer<typeof agentModelStep>

/** One entry of a conversation: a person's words, the model's, or what tools gave back. */
export interface AgentModelTurn {
  readonly from: 'user' | 'model' | 'tools'
  readonly text: string
}

const MARK = '@script '
/** What agents put into a person's turn by themselves; a script quoted there isn't one. */
const REMINDERS = /<(system-reminder|session_context|environment_context)>[\s\S]*?<\/\1>/g

/** A prompt that makes a scripted model do these steps, one after the other. */
export function agentScript(...steps: readonly z.input<typeof agentModelStep>[]): string {
  return `${MARK}${JSON.stringify(steps)}`
}

/** What the model does in answer to this conversation. */
export function nextSteps(turns: readonly AgentModelTurn[]): AgentModelStep[] {
  const spoken = turns.map((turn) => ({ ...turn, text: turn.text.replace(REMINDERS, '').trim() }))
  const asked = spoken.findLastIndex(({ from, text }) => from === 'user' && text !== '')
  const script = readScript(spoken[asked]?.text ?? '')
  if (script === null) return [{ say: 'OK' }]
  const since = spoken.slice(asked + 1)
  const rounds = since.filter(({ from }) => from === 'tools')
  const result = rounds.at(-1)?.text ?? ''
  const steps = inRounds(script)[rounds.length] ?? []
  return steps.map((step) => ('say' in step ? { say: step.say.replaceAll('{{result}}', result) } : step))
}

/** A call ends a round: the model goes on when its result is there. */
function inRounds(script: readonly AgentModelStep[]): AgentModelStep[][] {
  const rounds: AgentModelStep[][] = [[]]
  for (const step of script) {
    rounds.at(-1)?.push(step)
    if ('call' in step) rounds.push([])
  }
  return rounds
}

function readScript(text: string): AgentModelStep[] | null {
  const start = text.lastIndexOf(MARK)
  if (start === -1) return null
  const json = arrayAt(text, start + MARK.length)
  const read = z.array(agentModelStep).safeParse(json === null ? null : JSON.parse(json))
  return read.success ? read.data : null
}

/** The JSON array that begins at `start`: agents put words of their own behind a prompt. */
function arrayAt(text: string, start: number): string | null {
  let [depth, quoted] = [0, false]
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (quoted && character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (!quoted && (character === '[' || character === '{')) depth += 1
    else if (!quoted && (character === ']' || character === '}')) depth -= 1
    if (depth === 0) return text.slice(start, at + 1)
  }
  return null
}

/** The offered tool that is called `name`, whatever an agent put in front of it. */
export function offeredAs(name: string, offered: readonly string[]): string | null {
  return offered.find((tool) => tool === name || tool.endsWith(`_${name}`) || tool.endsWith(`-${name}`)) ?? null
}
