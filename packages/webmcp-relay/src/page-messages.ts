/**
 * What a page's messages mean: declarations are taken and acknowledged, answers find their calls.
 * A message that makes no sense is answered with words and changes nothing (additive `error` frame).
 */
import type { Declared, DeclaredPageTools, PageAnswer } from '@leuria/page-tools'
import {
  type PageMessage,
  pageMessage,
  promptDeclaration,
  resourceDeclaration,
  toolDeclaration,
} from '@leuria/protocol'
import * as z from 'zod/mini'
import type { ChannelSocket } from './channel-socket.js'
import type { DeclarationKind, PageCalls } from './page-calls.js'

export interface PageSide {
  tools: DeclaredPageTools
  calls: PageCalls
}

/** Longest error text of a page that is passed on, in characters. */
const MAX_ERROR_LENGTH = 16_000

/** Handles one message. Returns words when it makes no sense. */
export function handlePageMessage(side: PageSide, socket: ChannelSocket, message: object): string | null {
  if (isAnswer(message)) {
    // Each of the three settles whatever call has the id, as pages in the field rely on.
    side.calls.answer(message.id, readAnswer(message))
    return null
  }
  const parsed = z.safeParse(pageMessage, message)
  if (!parsed.success) return describeFault(message, parsed.error)
  return HANDLERS[parsed.data.type]({ tools: side.tools, calls: side.calls, socket }, parsed.data)
}

type Context = PageSide & { socket: ChannelSocket }
type Handler = (context: Context, message: PageMessage) => string | null

const HANDLERS: Readonly<Record<PageMessage['type'], Handler>> = {
  registerTool: (context, message) =>
    declare(context, { message, kind: 'tool', schema: toolDeclaration, key: 'name' }, (tool) =>
      context.tools.declare(tool),
    ),
  registerResource: (context, message) =>
    declare(context, { message, kind: 'resource', schema: resourceDeclaration, key: 'uri' }, (resource) =>
      context.tools.declareResource(resource),
    ),
  registerPrompt: (context, message) =>
    declare(context, { message, kind: 'prompt', schema: promptDeclaration, key: 'name' }, (prompt) =>
      context.tools.declarePrompt(prompt),
    ),
  deregisterTool: (context, message) => {
    if (message.type !== 'deregisterTool') return null
    const warning = context.tools.remove(message.name) ? {} : { warning: 'there was no tool of this name' }
    context.socket.send({ type: 'ack', registration: message.type, name: message.name, ...warning })
    return null
  },
  // With an id they are taken above; without one they don't fit the schema.
  toolResponse: () => null,
  resourceResponse: () => null,
  promptResponse: () => null,
  ping: ({ socket }) => {
    socket.send({ type: 'pong' })
    return null
  },
  pong: ({ socket }) => {
    socket.pong()
    return null
  },
}

interface Declaration<Schema> {
  message: PageMessage
  kind: DeclarationKind
  schema: Schema
  /** The field that names it. */
  key: 'name' | 'uri'
}

function declare<Schema extends z.core.$ZodType<Record<string, unknown>>>(
  { socket, calls }: Context,
  { message, kind, schema, key }: Declaration<Schema>,
  take: (declaration: z.output<Schema>) => Declared,
): string | null {
  const parsed = z.safeParse(schema, declarationIn(message, kind, key))
  if (!parsed.success) return `${message.type} needs a ${key}, which must be a text.`
  const name = String(parsed.data[key])
  const declared = take(parsed.data)
  if (!declared.ok) return declared.error
  const warning = declared.warning === undefined ? {} : { warning: declared.warning }
  socket.send({ type: 'ack', registration: message.type, name, ...warning })
  calls.declared(kind, name)
  return null
}

/** Flat, or nested as `{ tool: { … } }` when that object has a name of its own. */
function declarationIn(message: PageMessage, kind: DeclarationKind, key: string): object {
  const nested: unknown = Object.getOwnPropertyDescriptor(message, kind)?.value
  return isObject(nested) && typeof nested[key] === 'string' ? nested : message
}

interface Answer {
  id: string
  result?: unknown
  error?: unknown
  content?: unknown
}

const ANSWERS: ReadonlySet<unknown> = new Set<PageMessage['type']>([
  'toolResponse',
  'resourceResponse',
  'promptResponse',
])

/** The one message that comes with every call: told apart by hand, since the general way costs as much as the call. */
function isAnswer(message: object): message is Answer {
  return 'type' in message && ANSWERS.has(message.type) && 'id' in message && typeof message.id === 'string'
}

/** "`result`, or `error` (a string, or `{ message }`)". An empty or null error beside a result is none. */
function readAnswer({ result, error, content }: Answer): PageAnswer {
  const failed = error !== undefined && error !== null && error !== false && (error !== '' || result === undefined)
  if (failed) return { ok: false, code: 'page_error', error: describeError(error).slice(0, MAX_ERROR_LENGTH) }
  return content === undefined ? { ok: true, result } : { ok: true, result, content }
}

function describeError(error: unknown): string {
  const text = isObject(error) ? error.message : error
  if (typeof text === 'string' && text !== '') return text
  const detail = isObject(error) ? jsonText(error) : '{}'
  return detail === '{}' ? 'The tool failed without saying why.' : `The tool failed: ${detail}`
}

function jsonText(value: object): string {
  try {
    return JSON.stringify(value).slice(0, 1_000)
  } catch {
    return '{}' // nested deeper than the stack
  }
}

function describeFault(message: object, { issues }: z.core.$ZodError): string {
  const type = 'type' in message ? message.type : undefined
  if (typeof type !== 'string') return 'A message needs a "type", which must be a text.'
  if (!Object.hasOwn(HANDLERS, type)) return `Unknown message type ${JSON.stringify(type.slice(0, 60))}.`
  const field = issues[0]?.path.join('.') ?? ''
  return `${type}: ${field === '' ? 'the message' : field} is missing or of a wrong type.`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
