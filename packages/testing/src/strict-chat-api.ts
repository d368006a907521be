/**
 * The rules that real chat APIs enforce, each by some service: a request that passes here is accepted everywhere.
 * The scripted model server answers 400 with what this finds.
 */

/** A function name that every API takes (OpenAI, Anthropic, Mistral: letters, digits, `_`, `-`, at most 64). */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** What is wrong with a chat request, in words. `null`: nothing. */
export function findChatFault(body: unknown): string | null {
  if (!isRecord(body)) return 'the body must be an object'
  if (typeof body['model'] !== 'string' || body['model'] === '') return 'model is missing'
  if (!Array.isArray(body['messages']) || body['messages'].length === 0) return 'messages is missing or empty'
  return toolFault(body) ?? messagesFault(records(body['messages']))
}

function toolFault(body: Record<string, unknown>): string | null {
  if (body['tools'] === undefined) {
    return body['tool_choice'] === undefined ? null : 'tool_choice without tools'
  }
  const names = records(body['tools']).map((tool) =>
    isRecord(tool['function']) ? tool['function']['name'] : undefined,
  )
  if (names.length === 0) return 'tools must not be empty'
  const bad = names.find((name) => typeof name !== 'string' || !LEGAL_NAME.test(name))
  if (bad !== undefined || names.includes(undefined)) return `tools: the name ${JSON.stringify(bad)} is not allowed`
  return new Set(names).size === names.length ? null : 'tools: names must be unique'
}

/** Roles take turns, and every tool call has its result directly after it (Mistral, Anthropic, Gemma's template). */
function messagesFault(messages: readonly Record<string, unknown>[]): string | null {
  let expected = new Set(['system', 'user'])
  let open = new Set<unknown>()
  for (const [at, message] of messages.entries()) {
    const role = String(message['role'])
    const where = `messages[${at}]`
    if (!expected.has(role)) return `${where}: unexpected role ${role}`
    if (role === 'tool') {
      if (!open.delete(message['tool_call_id'])) return `${where}: no open tool call ${String(message['tool_call_id'])}`
      if (typeof message['content'] !== 'string') return `${where}: content must be a string`
    } else if (isEmpty(message['content']) && message['tool_calls'] === undefined) return `${where}: content is empty`
    if (role === 'assistant') {
      const fault = callsFault(message['tool_calls'])
      if (fault !== null) return `${where}: ${fault}`
      open = new Set(records(message['tool_calls']).map((call) => call['id']))
      if (open.size !== records(message['tool_calls']).length) return `${where}: two calls share an id`
    }
    expected = nextRoles(role, open.size)
  }
  if (open.size > 0) return `a tool call has no result: ${[...open].join(', ')}`
  const last = String(messages.at(-1)?.['role'])
  return last === 'user' || last === 'tool' ? null : `the last message is from ${last}`
}

function nextRoles(role: string, openCalls: number): Set<string> {
  if (openCalls > 0) return new Set(['tool'])
  if (role === 'system') return new Set(['user'])
  return new Set(role === 'assistant' ? ['user'] : ['assistant'])
}

const isEmpty = (content: unknown): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)

function callsFault(calls: unknown): string | null {
  if (calls === undefined) return null
  if (!Array.isArray(calls) || calls.length === 0) return 'tool_calls must not be empty'
  for (const call of records(calls)) {
    const about = isRecord(call['function']) ? call['function'] : {}
    if (typeof call['id'] !== 'string' || call['id'] === '') return 'a tool call has no id'
    if (typeof about['name'] !== 'string' || !LEGAL_NAME.test(about['name'])) return 'a tool call has no legal name'
    if (!isJsonObject(about['arguments'])) return `arguments of ${about['name']} are not a JSON object`
  }
  return null
}

function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && !Array.isArray(value)
  } catch {
    return false
  }
}
