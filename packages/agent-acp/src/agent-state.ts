/**
 * What an agent is like without a page: its version, ways to sign in, whether it is signed in, its models; and signing in.
 * Methods of the type `terminal` are not for here: the program has to be run in the visitor's terminal.
 */
import { AgentError } from '@leuria/agent'
import { withDeadline } from '@leuria/clock'
import type { AcpConnection, ConnectionContext } from './acp-connection.js'
import { fromAnswer, isSignedOut } from './agent-errors.js'
import { type AgentModels, readModels } from './agent-models.js'
import { type AuthMethod, sessionAnswer } from './wire-shapes.js'

export interface AgentState {
  readonly version?: string
  readonly authMethods: readonly AuthMethod[]
  /** It opened a session without asking to sign in first. Some agents ask at the first prompt only. */
  readonly signedIn: boolean
  readonly models: AgentModels | null
}

/** What a session showed of the visitor's sign-in. */
export interface SeenSignIn {
  readonly state: 'signed_in' | 'signed_out'
  /** The id of the method used for it, where one was. */
  readonly method?: string
  /** The agent's. */
  readonly version?: string
}

/** For a browser, a code and a second factor. */
const SIGN_IN_LIMIT_MS = 10 * 60_000

/**
 * @param authMethod the way by which the visitor is signed in: some agents want to be told it by each new program
 * @throws AgentError when it can't be told
 */
export async function readState(
  connection: AcpConnection,
  context: ConnectionContext,
  authMethod?: string,
): Promise<AgentState> {
  const state = await askState(connection, context)
  const method = state.authMethods.find(({ id, type }) => id === authMethod && type !== 'terminal')
  if (state.signedIn || method === undefined) return state
  try {
    await connection.request('authenticate', { methodId: method.id }, context.limits.requestMs)
  } catch {
    return state
  }
  return askState(connection, context)
}

async function askState(connection: AcpConnection, context: ConnectionContext): Promise<AgentState> {
  const { clock, limits } = context
  const { version, authMethods } = connection.facts
  const params = { cwd: connection.process.cwd, mcpServers: [] }
  try {
    const answer = await withDeadline(clock, limits.requestMs, connection.raw('session/new', params))
    const read = sessionAnswer.safeParse(answer)
    return { version, authMethods, signedIn: true, models: read.success ? readModels(read.data) : null }
  } catch (error) {
    if (isSignedOut(error)) return { version, authMethods, signedIn: false, models: null }
    throw fromAnswer(context, error)
  }
}

/** @throws AgentError `failed` for a method it doesn't have or that needs a terminal, or what the agent says */
export async function signIn(
  connection: AcpConnection,
  methodId: string,
  context: ConnectionContext,
): Promise<AgentState> {
  const method = connection.facts.authMethods.find(({ id }) => id === methodId)
  if (method === undefined) {
    const known = connection.facts.authMethods.map(({ id }) => id).join(', ')
    throw new AgentError(
      'failed',
      `${context.name} has no sign-in method ${methodId}. It has: ${known === '' ? 'none' : known}.`,
    )
  }
  if (method.type === 'terminal')
    throw new AgentError('failed', `${context.name}'s sign-in ${methodId} has to be done in a terminal.`)
  await connection.request('authenticate', { methodId }, SIGN_IN_LIMIT_MS)
  return readState(connection, context)
}
