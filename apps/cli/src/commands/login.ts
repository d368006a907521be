/** `leuria login`: signs in to an agent by one of its own ways, and notes how that went. Leuria never sees a password. */
import type { AcpAgent, AgentState } from '@leuria/agent-acp'
import type { AgentRegistry, RunnableAgent, SignInStore } from '@leuria/agent-registry'
import { parseAgentId } from '@leuria/protocol'
import { openConfig } from '@leuria/state'
import { untilInterrupted, withAgentParts } from '../agent-registry.js'
import { withBoxedAgent } from '../boxed-agent.js'
import { UserError } from '../fail.js'
import { homeOptions, using, warn } from '../home.js'
import { chooseWay, type SignInWay } from '../sign-in-method.js'
import { hasTerminal, runInTerminal } from '../sign-in-terminal.js'
import { printAnswer } from '../print-json.js'

export interface LoginFlags {
  method?: string
  json?: boolean
}

/** Without an id: the default AI if it is an agent, else the only agent there is. @throws UserError */
async function chooseAgent(registry: AgentRegistry, id: string | undefined): Promise<RunnableAgent> {
  if (id !== undefined) return mustFind(registry, id)
  const chosen = await using(openConfig(homeOptions()), (config) => config.value.agent)
  if (chosen !== undefined && parseAgentId(chosen)?.kind === 'agent') return mustFind(registry, chosen)
  const here = await registry.startable()
  const [only] = here
  if (only !== undefined && here.length === 1) return only
  throw new UserError(
    here.length === 0
      ? 'No agent is installed. leuria agents lists those that can be.'
      : `Say which one: leuria login <id>. There are: ${here.map((agent) => agent.id).join(', ')}.`,
  )
}

async function mustFind(registry: AgentRegistry, id: string): Promise<RunnableAgent> {
  const agent = await registry.find(id)
  if (agent !== null) return agent
  if (id === 'demo' || id.startsWith('llm:')) throw new UserError(`${id} needs no sign-in.`)
  throw new UserError(`There is no agent "${id}" on this computer. Install it: leuria agents install ${id}`)
}

interface SignInParts {
  readonly agent: AcpAgent
  readonly runnable: RunnableAgent
  readonly signal: AbortSignal
}

/** Shows what the agent says meanwhile: a code to type, or an address to open. */
async function signInBy(way: SignInWay, { agent, runnable, signal }: SignInParts): Promise<AgentState> {
  if (way.kind === 'terminal') {
    await runInTerminal(way.start, runnable.name)
    return agent.inspect({ signal, terminal: true })
  }
  warn(`Signing in to ${runnable.name}: ${way.method.name ?? way.method.id}. A browser may open. Ctrl+C stops it.`)
  return agent.signIn(way.method.id, { signal, terminal: hasTerminal(), log: warn })
}

interface Seen {
  readonly state: AgentState
  readonly method?: string
}

async function note(signIns: SignInStore, id: string, { state, method }: Seen): Promise<void> {
  const { version, signedIn } = state
  await signIns.note(id, {
    state: signedIn ? 'signed_in' : 'signed_out',
    ...(method === undefined ? {} : { method }),
    ...(version === undefined ? {} : { version }),
  })
}

/** Some agents ask only when they are first asked something: being let in isn't proof. */
function knownWords({ id, name }: RunnableAgent, { authMethods }: AgentState): string {
  const ready = `${name} is ready: it asks for no sign-in.`
  if (authMethods.length === 0) return ready
  const ways = authMethods.map((method) => method.id).join(', ')
  return `${ready}\nTo sign in anew: leuria login ${id} --method <method>, one of: ${ways}`
}

/** @throws UserError, AgentError when it did not work; the state is noted either way */
export async function login(id: string | undefined, { method: wanted, json }: LoginFlags): Promise<void> {
  await withAgentParts(async ({ registry, signIns }) => {
    const runnable = await chooseAgent(registry, id)
    const terminal = hasTerminal()
    const signal = untilInterrupted()
    await withBoxedAgent(runnable, async (agent) => {
      const before = await agent.inspect({ signal, terminal: true })
      // One that was signed in to by a way of its own wants to be told it by each program: that it asks now says nothing.
      if (before.signedIn || signIns.get(runnable.id)?.method === undefined)
        await note(signIns, runnable.id, { state: before })
      if (before.signedIn && wanted === undefined) {
        printAnswer(json, { value: { id: runnable.id, signedIn: true }, words: knownWords(runnable, before) })
        return
      }
      const way = chooseWay({ agent: runnable, methods: before.authMethods, wanted, terminal })
      const after = await signInBy(way, { agent, runnable, signal })
      await note(signIns, runnable.id, { state: after, method: way.method.id })
      if (!after.signedIn) throw new UserError(`${runnable.name} still asks for a sign-in.`)
      const words = `You are signed in to ${runnable.name}.`
      printAnswer(json, { value: { id: runnable.id, signedIn: true, method: way.method.id }, words })
    })
  })
}
