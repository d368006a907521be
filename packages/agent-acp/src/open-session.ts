/**
 * From a connection that has introduced itself to a session with the page's tools: `session/new`, sign-in, whether the agent
 * found the tools, mode and model. What can't be had but isn't needed becomes a line in the log.
 */
import { AgentError, type JsonObject, type OpenOptions } from '@leuria/agent'
import { DeadlineError, withDeadline } from '@leuria/clock'
import type { AcpConnection, ConnectionContext } from './acp-connection.js'
import { fromAnswer, isSignedOut, signedOut } from './agent-errors.js'
import { type AgentModels, modelRequest, readModels } from './agent-models.js'
import type { AgentProfile } from './agent-profile.js'
import type { AcpLimits } from './limits.js'
import { type BridgeCommand, toolServer, type ToolWay, toolWays } from './tool-servers.js'
import { namedMode, readList, type SessionAnswer, sessionAnswer } from './wire-shapes.js'

export interface OpenParts extends ConnectionContext {
  connection: AcpConnection
  options: OpenOptions
  profile: AgentProfile
  bridge?: BridgeCommand
  /** The sign-in method to use by itself when the agent asks for one. */
  authMethod?: string
  log: (line: string) => void
}

export interface OpenedSession {
  /** The agent's id of it. */
  readonly agentSession: string
  readonly models: AgentModels | null
  /** For the visitor, when something is missing. */
  readonly notice?: string
  /** The sign-in method that it took, if it asked for one. */
  readonly usedMethod?: string
}

interface BegunSession {
  answer: SessionAnswer
  usedMethod?: string
}

/** @throws AgentError */
export async function openSession(parts: OpenParts): Promise<OpenedSession> {
  const { answer, connected, usedMethod } = await beginWithTools(parts)
  const agentSession = answer.sessionId ?? ''
  // Two sessions under one id would hear each other.
  if (parts.connection.has(agentSession))
    throw new AgentError('failed', `${parts.name} opened a session that was open already.`)
  await chooseMode(parts, answer)
  const models = await chooseModel(parts, answer)
  const notice = connected
    ? undefined
    : `${parts.name} did not connect to this page’s tools. It can answer, but not use them.`
  return { agentSession, models, notice, usedMethod }
}

/** Tries one way after the other until the agent comes to the tools; the last session stands in any case. */
async function beginWithTools(parts: OpenParts): Promise<BegunSession & { connected: boolean }> {
  const { connection, options, bridge, log } = parts
  let begun: BegunSession | null = null
  for (const way of toolWays(connection.facts, bridge)) {
    if (begun !== null)
      await leaveSession(connection, { sessionId: begun.answer.sessionId ?? '', limits: parts.limits })
    const usedBefore: string | undefined = begun?.usedMethod
    begun = await newSession(parts, way)
    begun.usedMethod ??= usedBefore
    if (options.mcp.connected === undefined || (await arrives(parts, options.mcp.connected)))
      return { ...begun, connected: true }
    log(`The agent did not come to the page's tools over ${way}.`)
  }
  if (begun === null) throw new Error('There is always a way to try.')
  return { ...begun, connected: false }
}

async function arrives({ clock, limits, connection }: OpenParts, connected: Promise<void>): Promise<boolean> {
  try {
    await withDeadline(clock, limits.toolsConnectMs, Promise.race([connected, connection.ended]))
  } catch (error) {
    if (error instanceof DeadlineError) return false
    throw error
  }
  return true
}

async function newSession(parts: OpenParts, way: ToolWay): Promise<BegunSession> {
  const { connection, options, profile, bridge } = parts
  const { systemPrompt, maxTurns } = options
  const meta: JsonObject = profile.sessionMeta?.({ systemPrompt, maxTurns }) ?? {}
  const params = {
    cwd: connection.process.cwd,
    mcpServers: [toolServer(way, options.mcp, bridge)],
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
    ...systemPromptOf(parts),
  }
  const { answer, usedMethod } = await askSigningIn(parts, params)
  const read = sessionAnswer.safeParse(answer)
  if (!read.success || (read.data.sessionId ?? '') === '')
    throw new AgentError('failed', `${parts.name} did not say which session it opened.`)
  return { answer: read.data, usedMethod }
}

/** Where the protocol has a place for it and the profile knows no other. */
function systemPromptOf({ connection, profile, options: { systemPrompt: text } }: OpenParts): object {
  const mode = connection.facts.systemPromptMode
  if (mode === null || profile.systemPrompt !== 'prefix' || text === undefined || text === '') return {}
  return { systemPrompt: { mode, content: [{ type: 'text', text }] } }
}

/** An agent that isn't signed in says so here. With a method to use it is signed in once and asked again. */
async function askSigningIn(parts: OpenParts, params: object): Promise<{ answer: unknown; usedMethod?: string }> {
  const { connection, authMethod, clock, limits } = parts
  try {
    return { answer: await withDeadline(clock, limits.requestMs, connection.raw('session/new', params)) }
  } catch (error) {
    if (!isSignedOut(error)) throw fromAnswer(parts, error)
    const known = connection.facts.authMethods.some(({ id }) => id === authMethod)
    if (authMethod === undefined || !known) throw signedOut(parts, error)
    await connection.request('authenticate', { methodId: authMethod }, limits.requestMs)
    return { answer: await connection.request('session/new', params, limits.requestMs), usedMethod: authMethod }
  }
}

/** Ends one session of a program that goes on. An agent that can't close it keeps it until its end. Never rejects. */
export async function leaveSession(
  connection: AcpConnection,
  { sessionId, limits }: { sessionId: string; limits: AcpLimits },
): Promise<void> {
  if (!connection.facts.session.has('close')) return
  await connection.request('session/close', { sessionId }, limits.goodbyeMs).catch(() => undefined)
}

/** The mode in which the agent asks before it acts. An agent that has it and doesn't take it isn't safe to use. */
async function chooseMode(
  { connection, profile, limits }: OpenParts,
  { sessionId, modes }: SessionAnswer,
): Promise<void> {
  const { mode } = profile
  if (mode === undefined || modes === undefined || modes.currentModeId === mode) return
  if (!readList(namedMode, modes.availableModes).some(({ id }) => id === mode)) return
  await connection.request('session/set_mode', { sessionId, modeId: mode }, limits.requestMs)
}

/** A model that can't be had is said in the log; the agent's own choice stays. */
async function chooseModel(parts: OpenParts, answer: SessionAnswer): Promise<AgentModels | null> {
  const { connection, options, limits, log } = parts
  const models = readModels(answer)
  const wanted = options.model
  if (wanted === undefined) return models
  const request = models === null ? 'unknown' : modelRequest(models, { sessionId: answer.sessionId ?? '', wanted })
  if (request === null) return models
  if (request === 'unknown') {
    log(`The agent does not offer the model ${wanted}; it uses its own choice.`)
    return models
  }
  try {
    await connection.request(request.method, request.params, limits.requestMs)
  } catch (error) {
    log(`The agent did not take the model ${wanted}: ${error instanceof Error ? error.message : String(error)}`)
    return models
  }
  return models === null ? null : { ...models, current: wanted }
}
