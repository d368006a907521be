/**
 * Everything that can go wrong with a model service, said once in plain words: HTTP statuses, error objects in whatever
 * shape a server puts them, and connections. What the service said itself is kept in the message, cut and cleaned.
 */
import { AgentError, type AgentErrorCode } from '@leuria/agent'
import type { FaultKind, HttpFault } from './http-exchange.js'

/** What a service said about an error. */
export interface UpstreamError {
  /** An HTTP status; 200 for an error inside a stream, unless it names one itself. */
  status: number
  /** The service's own words; empty when it had none. */
  message: string
  /** Its own code or type, if any. */
  code: string
}

/** Whom the messages are about. */
export interface ServiceNames {
  serviceName: string
  model: string
  /** Never shown: cut out of whatever the service says. */
  secrets?: readonly string[]
}

/** A service's words are shown to people: as much as a line or two. */
const MAX_QUOTE_LENGTH = 300

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const wordOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Words in `error`, wherever the server put them (OpenAI, vLLM, FastAPI, Lemonade, Anthropic). */
function messageIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(messageIn).filter(Boolean).join('; ')
  if (!isRecord(value)) return ''
  for (const key of ['message', 'error_message', 'msg', 'detail', 'error', 'title', 'description']) {
    const found = messageIn(value[key])
    if (found !== '') return found
  }
  return ''
}

/**
 * Reads an error out of a parsed body or chunk. `null`: it speaks of none.
 * `declared` says that it came as an error (an `event: error`, an error status), whatever its shape.
 */
export function readUpstreamError(body: unknown, status: number, declared: boolean): UpstreamError | null {
  if (typeof body === 'string') return declared ? { status, message: body, code: '' } : null
  if (!isRecord(body)) return declared ? { status, message: '', code: '' } : null
  const inner = body['error']
  const named = inner !== undefined && inner !== null && inner !== false
  if (!named && !declared && body['error_message'] === undefined && body['object'] !== 'error') return null
  const about = isRecord(inner) ? inner : body
  const own = Number(about['code'] ?? about['status'] ?? about['status_code'])
  return {
    status: status === 200 && Number.isInteger(own) && own >= 400 && own < 600 ? own : status,
    message: messageIn(named ? inner : body),
    code: [about['code'], about['type'], about['error_type']].map(wordOf).filter(Boolean).join(' '),
  }
}

const TOO_LONG =
  /context[_ -]?(length|window|size)|maximum context|too many (input )?tokens|prompt (is )?too long|tokens?, window|exceeds? the (available )?context|reduce the length/i
const NO_MODEL =
  /model_not_found|(model\b.{0,80}\b(not found|does not exist|not exist|no longer available))|no such model/i
const BAD_KEY = /invalid_api_key|authentication|incorrect api key|unauthorized/i

/** What kind of trouble it is, by the status and the service's words. */
export function codeOf({ status, message, code }: UpstreamError): AgentErrorCode {
  const words = `${code} ${message}`
  if (status === 401 || status === 403 || BAD_KEY.test(code)) return 'signed_out'
  if (status === 413 || TOO_LONG.test(words)) return 'too_long'
  if (status === 429 || /rate_limit/i.test(code)) return 'rate_limited'
  if (status === 404 || NO_MODEL.test(words)) return 'model_missing'
  return 'failed'
}

/** A service's words, fit to be shown: one line, no secret, not too long. */
export function quote(message: string, names: ServiceNames): string {
  const secrets = (names.secrets ?? []).filter((secret) => secret !== '')
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), message)
  const line = safe.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
  return line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH)}…` : line
}

/** The error that a turn ends with. */
export function translateError(error: UpstreamError, names: ServiceNames): AgentError {
  const code = codeOf(error)
  const said = quote(error.message, names)
  const words: Record<string, string> = {
    signed_out: `${names.serviceName} refused the API key`,
    too_long: `The conversation is longer than ${names.model} can take`,
    rate_limited: `${names.serviceName} asks to slow down or has no quota left`,
    model_missing: `${names.serviceName} doesn't have the model ${names.model}, or its address is wrong`,
    failed: failedWords(error.status, names),
  }
  return new AgentError(code, said === '' ? `${words[code]}.` : `${words[code]}: ${said}`, { cause: error })
}

function failedWords(status: number, { serviceName }: ServiceNames): string {
  if (status >= 300 && status < 400)
    return `${serviceName} sends requests on to another address; save that address instead`
  if (status === 402) return `${serviceName} asks to be paid first`
  if (status >= 500) return `${serviceName} has trouble of its own (status ${status})`
  return status === 200 ? `${serviceName} reported an error` : `${serviceName} refused the request (status ${status})`
}

const FAULT_WORDS: Record<FaultKind, (name: string) => { code: AgentErrorCode; message: string }> = {
  refused: (name) => ({ code: 'unavailable', message: `${name} isn't running, or doesn't listen at its address.` }),
  unknown_host: (name) => ({
    code: 'unavailable',
    message: `The address of ${name} can't be found. Is it right, and is this computer online?`,
  }),
  unreachable: (name) => ({ code: 'unavailable', message: `${name} can't be reached from this computer.` }),
  no_connection: (name) => ({ code: 'unavailable', message: `${name} doesn't answer at its address.` }),
  tls: (name) => ({
    code: 'unavailable',
    message: `No secure connection to ${name}: its certificate or its address (http or https) isn't right.`,
  }),
  not_http: (name) => ({ code: 'failed', message: `What answers at the address of ${name} isn't a model service.` }),
  lost: (name) => ({ code: 'crashed', message: `${name} closed the connection before its answer was complete.` }),
  aborted: (name) => ({ code: 'failed', message: `The request to ${name} was stopped.` }),
}

/** A connection's fault in plain words. */
export function translateFault(fault: HttpFault, serviceName: string): AgentError {
  const { code, message } = FAULT_WORDS[fault.kind](serviceName)
  return new AgentError(code, message, { cause: fault })
}
