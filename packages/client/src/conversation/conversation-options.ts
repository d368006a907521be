/** What a page says about a conversation, and what follows from it once for all turns: tools, the answer's shape, who may answer. */
import type { ConversationHost, ProviderNeeds, Routing } from '../cascade/conversation-host.js'
import { LeuriaError } from '../errors.js'
import { defaultFormatContext, fileText, messageFiles, messageText } from '../message/message-content.js'
import type { Message, TextPart, TurnContextData } from '../message/message.js'
import type { Capability, SessionOptions, ToolDeclaration } from '../provider/provider.js'
import type { Shape } from '../structured/shape.js'
import { SUBMIT_TOOL } from '../structured/submit-tool.js'
import { jsonSchemaOf } from '../tool/read-schema.js'
import type { ToolBox } from '../tool/run-call.js'
import type { SchemaInput } from '../tool/schema-input.js'
import type { Middleware, Tool } from '../tool/tool.js'
import { loadLater } from '../load-later.js'

/**
 * `Checked`: what a validator's schema says of an answer; a JSON Schema says nothing to TypeScript. `Output`: what `validate`
 * makes of it.
 */
export interface ConversationOptions<Checked = unknown, Output = Checked> extends Routing {
  /** What the AI is told before everything else. */
  system?: string
  tools?: readonly Tool[]
  /** Each answer must be JSON of this shape; a run's `object()` gives it. */
  schema?: SchemaInput<Checked>
  /** Checks an answer further, or changes it: returns the value, or throws what the AI is told once. */
  validate?: (value: Checked) => Output | Promise<Output>
  /** Most tool calls a turn. @default 10 */
  maxSteps?: number
  /** Longest a turn may take, in milliseconds. @default no limit */
  timeoutMs?: number
  /** Layers around each tool call, inside the client's. */
  middleware?: readonly Middleware[]
  /** How a message's context is put above its text; an empty text leaves it out. @default defaultFormatContext */
  formatContext?: (context: TurnContextData) => string
  /** What was said before. */
  messages?: readonly Message[]
}

export interface ConversationSetup {
  readonly toolBox: ToolBox
  /** The form of the answers, if they must have one. What it takes is loaded when it is asked for. */
  readonly loadShape: (() => Promise<Shape>) | null
  /** Who can take this message; without one, who can take any. */
  needs: (message?: Message) => ProviderNeeds
  /** `isNative`: the provider holds answers to the schema itself. */
  sessionOptions: (history: readonly Message[], shape: Shape | null, isNative: boolean) => SessionOptions
  /** The message as an AI gets it: what the page gave along stands in its text. */
  forAi: (message: Message) => Message
}

/** @throws LeuriaError `bad_tools` for names that are missing, repeated or reserved; `bad_schema` */
export function setUp(host: ConversationHost, options: ConversationOptions): ConversationSetup {
  const { tools = [], schema, validate, maxSteps = 10, middleware = [], system, localOnly, provider } = options
  const format = options.formatContext ?? defaultFormatContext
  const declarations = tools.map(declarationOf)
  if (schema) jsonSchemaOf(schema)
  const forAi = (message: Message): Message => {
    const above = message.context ? format(message.context) : ''
    return above ? withText(message, `${above}\n\n`) : message
  }
  return {
    toolBox: { tools: byName(tools), layers: [...host.middleware, ...middleware], maxSteps },
    loadShape: schema ? async () => (await loadLater()).createShape(schema, validate) : null,
    forAi,
    needs(message) {
      const capabilities: Capability[] = ['chat']
      if (tools.length > 0) capabilities.push('tools')
      if (message && messageFiles(message).some((file) => fileText(file) === null)) capabilities.push('images')
      return { capabilities, hasSchema: !!schema, localOnly, provider }
    },
    sessionOptions(messages, shape, isNative) {
      const history = messages.map((message) => withAnswer(forAi(message)))
      const common = { system, tools: declarations, history, maxSteps }
      if (!shape) return common
      if (isNative) return { ...common, schema: shape.schema }
      const { submitTool, submitWords } = shape
      return {
        ...common,
        system: [system, submitWords].filter(Boolean).join('\n\n'),
        tools: [...declarations, submitTool],
      }
    },
  }
}

function byName(tools: readonly Tool[]): Map<string, Tool> {
  const map = new Map(tools.map((tool) => [tool.name, tool]))
  if (map.size === tools.length && !map.has('') && !map.has(SUBMIT_TOOL)) return map
  throw new LeuriaError('The tools of this page are not in order.', {
    code: 'bad_tools',
    detail: `Each tool needs a name of its own, and ${SUBMIT_TOOL} is reserved.`,
  })
}

function declarationOf({ name, description, inputSchema, annotations }: Tool): ToolDeclaration {
  return { name, description, annotations, inputSchema: inputSchema && jsonSchemaOf(inputSchema) }
}

/** An answer that was handed in with a tool is what the AI said. */
function withAnswer(message: Message): Message {
  const object = message.metadata?.object
  return object === undefined || messageText(message) ? message : withText(message, JSON.stringify(object))
}

function withText(message: Message, text: string): Message {
  const part: TextPart = { type: 'text', text }
  return { ...message, parts: [part, ...message.parts] }
}
