/**
 * What goes over the two page-tool sockets (Page tools).
 * Envelopes are checked; schemas, results and arguments stay unknown values: walking a megabyte of them would block the loop.
 */
import * as z from 'zod/mini'

/** `/webmcp/register`, page → engine. */
export const registerMessage = z.object({ type: z.literal('register'), token: z.string() })

/** `/webmcp/register`, engine → page. */
export const registerReply = z.discriminatedUnion('type', [
  z.object({ type: z.literal('registerSuccess'), channel: z.string(), token: z.string() }),
  z.object({ type: z.literal('error'), message: z.string() }),
])
export type RegisterReply = z.infer<typeof registerReply>

/** What a page may declare; odd values of the optional fields are warned about, not refused. */
export const toolDeclaration = z.object({
  name: z.string(),
  description: z.optional(z.unknown()),
  inputSchema: z.optional(z.unknown()),
  annotations: z.optional(z.unknown()),
})
export type ToolDeclaration = z.infer<typeof toolDeclaration>

export const resourceDeclaration = z.object({
  uri: z.string(),
  name: z.optional(z.unknown()),
  description: z.optional(z.unknown()),
  mimeType: z.optional(z.unknown()),
})
export type ResourceDeclaration = z.infer<typeof resourceDeclaration>

export const promptDeclaration = z.object({
  name: z.string(),
  description: z.optional(z.unknown()),
  arguments: z.optional(z.unknown()),
})
export type PromptDeclaration = z.infer<typeof promptDeclaration>

/** `result`, or `error` as a text or `{ message }`; `content` is additive (MCP content blocks). */
const answerFields = {
  id: z.string(),
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
  content: z.optional(z.unknown()),
}

/** Page → engine, on the channel. Declarations may also come nested as `{ tool: {…} }`, `{ resource: {…} }`, `{ prompt: {…} }`. */
export const pageMessage = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('registerTool') }),
  z.object({ type: z.literal('deregisterTool'), name: z.string() }),
  z.looseObject({ type: z.literal('registerResource') }),
  z.looseObject({ type: z.literal('registerPrompt') }),
  z.object({ type: z.literal('toolResponse'), ...answerFields }),
  z.object({ type: z.literal('resourceResponse'), ...answerFields }),
  z.object({ type: z.literal('promptResponse'), ...answerFields }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('pong') }),
])
export type PageMessage = z.infer<typeof pageMessage>

/** Engine → page, on the channel. */
export const engineMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('callTool'), id: z.string(), tool: z.string(), arguments: z.optional(z.unknown()) }),
  z.object({ type: z.literal('readResource'), id: z.string(), uri: z.string() }),
  z.object({ type: z.literal('getPrompt'), id: z.string(), name: z.string(), arguments: z.optional(z.unknown()) }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('pong') }),
  z.object({
    type: z.literal('ack'),
    registration: z.string(),
    name: z.string(),
    /** Additive: what is odd about the declaration. */
    warning: z.optional(z.string()),
  }),
  /** Additive: the AI no longer wants the answer. */
  z.object({ type: z.literal('cancelCall'), id: z.string() }),
  /** Additive: a frame that couldn't be taken, and why. */
  z.object({ type: z.literal('error'), message: z.string() }),
])
export type EngineMessage = z.infer<typeof engineMessage>
