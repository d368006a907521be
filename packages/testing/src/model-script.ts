/**
 * What a scripted model does, in steps that JSON can hold, and the habits of real servers as switches.
 * How steps become bytes is `model-wire.ts`; who sends them is `scripted-model-server.ts`.
 */

/** A call the model makes. */
export interface ScriptedCall {
  name: string
  /** @default {} */
  arguments?: unknown
  /** @default one made by the server */
  id?: string
}

export type ModelStep =
  /** Text, a chunk for each string. */
  | { say: string | readonly string[] }
  /** Reasoning, a chunk for each string. */
  | { think: string | readonly string[] }
  /** Several in a list are made in one answer. */
  | { call: ScriptedCall | readonly ScriptedCall[] }
  /** Overrides the finish reason that the steps call for; null leaves it out. */
  | { finish: string | null }
  | { usage: { prompt_tokens: number; completion_tokens: number } }
  /** An error object inside the stream, which then ends. */
  | { error: unknown }
  /** Bytes exactly as they are, quirks not applied. */
  | { raw: string }
  /** An HTTP error instead of a stream; only as the first step. */
  | { fail: { status: number; body?: unknown; headers?: Record<string, string> } }
  /** Cuts the connection. */
  | { drop: true }
  /** Sends nothing more, and keeps the connection. */
  | { stall: true }

/** Every switch, and what real servers do it. Each is one habit; they can be combined. */
export const MODEL_QUIRKS = {
  no_index: 'tool calls have no index (Ollama); later pieces have no id either',
  zero_index: 'every tool call has index 0 (Ollama)',
  no_call_id: 'tool calls have no id',
  name_in_every_chunk: 'the name and id come with every piece of a call',
  arguments_object: 'arguments are an object instead of a string',
  empty_arguments: 'a call without arguments has an empty string (brave, Claude behind proxies)',
  calls_in_one_chunk: 'all calls of an answer, whole, in one chunk',
  broken_arguments: 'single quotes and a comma too many in the arguments (small local models)',
  call_as_text: 'the call is JSON in the text (local models)',
  finish_missing: 'no finish_reason at all',
  finish_stop: 'finish_reason "stop" although tools are called',
  finish_early: 'the finish_reason comes with the first chunk',
  usage_null_choices: 'the usage chunk has "choices": null',
  usage_no_choices: 'the usage chunk has no choices',
  usage_always: 'usage is sent without being asked for',
  done_missing: 'no [DONE]; the connection is closed',
  done_missing_open: 'no [DONE]; the connection stays open',
  crlf: 'lines end in CR LF',
  no_space: 'no space after data:',
  comments: 'comment lines between the events',
  no_last_blank_line: 'the last event has no blank line after it',
  bytewise: 'every byte is a write of its own',
  not_a_stream: 'the whole answer as one JSON body',
  reasoning_field: 'reasoning is in `reasoning` instead of `reasoning_content`',
  think_tags: 'reasoning is in <think> tags in the text, cut between chunks',
  content_parts: 'content is a list of parts',
} as const satisfies Record<string, string>
export type ModelQuirk = keyof typeof MODEL_QUIRKS
export type ModelQuirks = Partial<Record<ModelQuirk, boolean>>
