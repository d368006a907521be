/** Which way to sign in: the one asked for, else the only one there is. Pure. */
import type { AuthMethod } from '@leuria/agent-acp'
import { type RunnableAgent, type TerminalSignIn, terminalSignIn } from '@leuria/agent-registry'
import { UserError } from './fail.js'

/** A method and how it is done. */
export type SignInWay =
  | { readonly kind: 'agent'; readonly method: AuthMethod }
  | { readonly kind: 'terminal'; readonly method: AuthMethod; readonly start: TerminalSignIn }

/** `null`: it is done in a way that this can't do, such as by setting a variable. */
function wayOf(agent: RunnableAgent, method: AuthMethod): SignInWay | null {
  const start = terminalSignIn(agent, method)
  if (start !== null) return { kind: 'terminal', method, start }
  return method.type === undefined || method.type === 'agent' ? { kind: 'agent', method } : null
}

function listed(methods: readonly AuthMethod[]): string {
  return methods.map(({ id, name }) => `  ${id}${name === undefined || name === id ? '' : `  ${name}`}`).join('\n')
}

export interface WaysQuestion {
  readonly agent: RunnableAgent
  readonly methods: readonly AuthMethod[]
  /** As typed. */
  readonly wanted?: string
  /** There is somebody to see and answer. */
  readonly terminal: boolean
}

/** @throws UserError when there is none, or more than one to choose from, or it needs a terminal */
export function chooseWay({ agent, methods, wanted, terminal }: WaysQuestion): SignInWay {
  const { name, id } = agent
  if (methods.length === 0) throw new UserError(`${name} has no way to sign in from here. See what its maker says.`)
  if (wanted !== undefined) {
    const method = methods.find((each) => each.id === wanted)
    if (method === undefined)
      throw new UserError(`${name} has no sign-in method "${wanted}". It has:\n${listed(methods)}`)
    const way = wayOf(agent, method)
    if (way === null)
      throw new UserError(
        `${method.name ?? method.id} is not done by a command. ${method.description ?? 'See what its maker says.'}`,
      )
    if (way.kind === 'terminal' && !terminal)
      throw new UserError(`${method.name ?? method.id} has to be done in a terminal. Run this in one.`)
    return way
  }
  const ways = methods.map((method) => wayOf(agent, method)).filter((way) => way !== null)
  const possible = ways.filter(({ kind }) => terminal || kind === 'agent')
  if (possible.length === 0 && ways.length > 0)
    throw new UserError(`Signing in to ${name} has to be done in a terminal. Run this in one.`)
  const [only] = possible
  if (only !== undefined && possible.length === 1) return only
  const shown = possible.length === 0 ? methods : possible.map(({ method }) => method)
  throw new UserError(`Choose a way to sign in: leuria login ${id} --method <method>\n${listed(shown)}`)
}
