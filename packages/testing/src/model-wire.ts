/** Turns a scripted model's steps into what goes over the wire: chunk objects, then framed bytes, quirks applied. */
import type { ModelQuirks, ModelStep, ScriptedCall } from './model-script.js'

/** What the server does next. `bytes` is one write. */
export type WireAction =
  | { kind: 'head'; status: number; headers: Record<string, string> }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'end' }
  | { kind: 'drop' }
  | { kind: 'stall' }

export interface WireOptions {
  model: string
  quirks: ModelQuirks
  /** The request had `stream_options.include_usage`. */
  usageWanted: boolean
  /** Makes ids of calls. */
  newCallId(): string
}

type Delta = Record<string, unknown>

const list = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T]

const encoder = new TextEncoder()

/** The steps' actions, in order. */
export function wireActions(steps: readonly ModelStep[], options: WireOptions): WireAction[] {
  const first = steps[0]
  if (first !== undefined && 'fail' in first) return failActions(first.fail)
  if (options.quirks.not_a_stream === true) return wholeBody(steps, options)
  const actions: WireAction[] = [{ kind: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } }]
  const text = new EventText(options.quirks)
  const bytes = (piece: string): void => {
    actions.push(...split(piece, options.quirks))
  }
  const chunk = (delta: Delta, finish: string | null = null): void => {
    bytes(text.event(chunkObject({ choices: [{ index: 0, delta, finish_reason: finish }] }, options)))
  }
  const stop = finishOf(steps, options.quirks)
  let early = options.quirks.finish_early === true ? stop : null
  for (const step of steps) {
    if ('raw' in step) bytes(step.raw)
    else if ('error' in step)
      return [...actions, ...split(text.event({ error: step.error }), options.quirks), { kind: 'end' }]
    else if ('drop' in step) return [...actions, { kind: 'drop' }]
    else if ('stall' in step) return [...actions, { kind: 'stall' }]
    for (const delta of deltasOf(step, options)) {
      chunk(delta, early)
      early = null
    }
  }
  if (steps.some((step) => 'raw' in step)) return [...actions, { kind: 'end' }]
  const usage = usageChunk(steps, options)
  const closing = [
    ...(stop === null || options.quirks.finish_early === true
      ? []
      : [chunkObject({ choices: [{ index: 0, delta: {}, finish_reason: stop }] }, options)]),
    ...(usage === null ? [] : [usage]),
    ...(options.quirks.done_missing === true || options.quirks.done_missing_open === true ? [] : ['[DONE]']),
  ]
  closing.forEach((data, at) => {
    bytes(text.event(data, at === closing.length - 1))
  })
  actions.push({ kind: options.quirks.done_missing_open === true ? 'stall' : 'end' })
  return actions
}

/** The events' text, in the server's way of writing. */
class EventText {
  constructor(private readonly quirks: ModelQuirks) {}

  event(data: unknown, last = false): string {
    const eol = this.quirks.crlf === true ? '\r\n' : '\n'
    const blank = last && this.quirks.no_last_blank_line === true ? '' : eol
    const comment = this.quirks.comments === true ? `: still here${eol}${eol}` : ''
    const json = typeof data === 'string' ? data : JSON.stringify(data)
    return `${comment}data:${this.quirks.no_space === true ? '' : ' '}${json}${eol}${blank}`
  }
}

function split(text: string, quirks: ModelQuirks): WireAction[] {
  const bytes = encoder.encode(text)
  if (quirks.bytewise !== true) return [{ kind: 'bytes', bytes }]
  return [...bytes].map((byte) => ({ kind: 'bytes', bytes: Uint8Array.of(byte) }))
}

function chunkObject(fields: Delta, options: WireOptions): Delta {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: options.model, ...fields }
}

function deltasOf(step: ModelStep, options: WireOptions): Delta[] {
  const { quirks } = options
  const content = (text: string): Delta =>
    quirks.content_parts === true ? { content: [{ type: 'text', text }] } : { content: text }
  if ('say' in step) return list(step.say).map(content)
  if ('think' in step) {
    const pieces = list(step.think)
    if (quirks.think_tags === true) return ['<th', 'ink>', ...pieces, '</thi', 'nk>\n\n'].map(content)
    return pieces.map((text) => (quirks.reasoning_field === true ? { reasoning: text } : { reasoning_content: text }))
  }
  if (!('call' in step)) return []
  const calls = list(step.call)
  if (quirks.call_as_text === true) {
    return calls.map((call) => content(JSON.stringify({ name: call.name, arguments: call.arguments ?? {} })))
  }
  return callDeltas(calls, options)
}

function callDeltas(calls: readonly ScriptedCall[], options: WireOptions): Delta[] {
  const pieces = calls.map((call, at) => callPieces(call, at, options))
  if (options.quirks.calls_in_one_chunk === true) return [{ tool_calls: pieces.map((deltas) => deltas[0]) }]
  return pieces.flat().map((piece) => ({ tool_calls: [piece] }))
}

/** One call as the pieces of `tool_calls`: the opening one first. */
function callPieces(call: ScriptedCall, at: number, options: WireOptions): Delta[] {
  const { quirks } = options
  const place = quirks.no_index === true ? {} : { index: quirks.zero_index === true ? 0 : at }
  const id = quirks.no_call_id === true ? {} : { id: call.id ?? options.newCallId(), type: 'function' }
  const whole = quirks.calls_in_one_chunk === true
  const argumentsOf = (): unknown =>
    quirks.arguments_object === true ? (call.arguments ?? {}) : argumentText(call, quirks)
  if (whole || quirks.arguments_object === true) {
    return [{ ...place, ...id, function: { name: call.name, arguments: argumentsOf() } }]
  }
  const text = argumentText(call, quirks)
  const middle = Math.ceil(text.length / 2)
  const repeated = quirks.name_in_every_chunk === true
  return [
    { ...place, ...id, function: { name: call.name, arguments: '' } },
    ...[text.slice(0, middle), text.slice(middle)]
      .filter((part) => part !== '')
      .map((part) => ({
        ...place,
        ...(repeated ? id : {}),
        function: { ...(repeated ? { name: call.name } : {}), arguments: part },
      })),
  ]
}

function argumentText(call: ScriptedCall, quirks: ModelQuirks): string {
  const value = call.arguments ?? {}
  const text = JSON.stringify(value)
  if (text === '{}' && quirks.empty_arguments === true) return ''
  if (quirks.broken_arguments !== true || text === '{}') return text
  return text.replaceAll('"', "'").replace(/\}$/, ',}')
}

function finishOf(steps: readonly ModelStep[], quirks: ModelQuirks): string | null {
  for (const step of steps) if ('finish' in step) return step.finish
  if (quirks.finish_missing === true) return null
  const calls = steps.some((step) => 'call' in step) && quirks.call_as_text !== true
  return calls && quirks.finish_stop !== true ? 'tool_calls' : 'stop'
}

function usageChunk(steps: readonly ModelStep[], options: WireOptions): Delta | null {
  const step = steps.find((candidate) => 'usage' in candidate)
  if (step === undefined && options.quirks.usage_always !== true && !options.usageWanted) return null
  const { prompt_tokens, completion_tokens } = step?.usage ?? { prompt_tokens: 10, completion_tokens: 5 }
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  const choices =
    options.quirks.usage_no_choices === true ? {} : { choices: options.quirks.usage_null_choices === true ? null : [] }
  return chunkObject({ ...choices, usage }, options)
}

function failActions(fail: { status: number; body?: unknown; headers?: Record<string, string> }): WireAction[] {
  const text =
    typeof fail.body === 'string' ? fail.body : JSON.stringify(fail.body ?? { error: { message: 'scripted failure' } })
  return [
    { kind: 'head', status: fail.status, headers: { 'content-type': 'application/json', ...fail.headers } },
    { kind: 'bytes', bytes: encoder.encode(text) },
    { kind: 'end' },
  ]
}

/** The answer as a server that doesn't stream gives it. */
function wholeBody(steps: readonly ModelStep[], options: WireOptions): WireAction[] {
  const joined = (key: 'say' | 'think'): string =>
    steps
      .flatMap((step) => (key in step ? list((step as Record<typeof key, string | readonly string[]>)[key]) : []))
      .join('')
  const calls = steps
    .flatMap((step) => ('call' in step ? list(step.call) : []))
    .map((call) => ({
      id: call.id ?? options.newCallId(),
      type: 'function',
      function: { name: call.name, arguments: argumentText(call, options.quirks) },
    }))
  const message = {
    role: 'assistant',
    content: joined('say') === '' ? null : joined('say'),
    ...(joined('think') === '' ? {} : { reasoning_content: joined('think') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: options.model,
    choices: [{ index: 0, message, finish_reason: finishOf(steps, options.quirks) }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
  return [
    { kind: 'head', status: 200, headers: { 'content-type': 'application/json' } },
    { kind: 'bytes', bytes: encoder.encode(JSON.stringify(body, null, 2)) },
    { kind: 'end' },
  ]
}
