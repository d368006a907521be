/** `leuria agents list`: the agents of the public list and of this computer, each once. */
import { findProfile, isChecked } from '@leuria/agent-acp'
import type { AgentListing, ListedAgent, RunnableAgent, SignIn, SignInStore } from '@leuria/agent-registry'
import { withAgentParts } from '../agent-registry.js'
import { warn } from '../home.js'
import { formatTable } from '../table.js'
import { trustedAgents } from '../trusted-agents.js'
import { isWarm, warmWords } from './agents-warm.js'

/** The one that would be started: the visitor's own, else installed, else found. */
function used({ own, installed, found }: ListedAgent): RunnableAgent | null {
  return own ?? installed ?? found
}

/** A newer version than the installed one is in the list. */
function isOld({ installed, version }: ListedAgent): boolean {
  return installed !== null && version !== null && installed.version !== version
}

function showHere(agent: RunnableAgent | null): string {
  if (agent === null) return ''
  if (agent.origin === 'own') return 'your own'
  if (agent.origin === 'found') return `${agent.version ?? ''} found`.trim()
  return agent.version ?? 'installed'
}

const SIGN_IN_WORDS: Readonly<Record<SignIn['state'], string>> = { signed_in: 'signed in', signed_out: 'signed out' }

interface Known {
  readonly signIns: SignInStore
  /** Ids of those that may run outside a sandbox, unchecked. */
  readonly trusted: readonly string[]
}

function notes(agent: ListedAgent, here: RunnableAgent | null, { trusted }: Known): string {
  const isTrusted = trusted.includes(agent.id)
  const all = [
    isOld(agent) && `${agent.version ?? ''} is there: leuria agents update ${agent.id}`,
    here === null && agent.ways.length === 0 && "can't be installed here",
    here !== null && !isCheckedHere(here) && !isTrusted && 'not checked: runs in a sandbox only',
    isTrusted && 'trusted: runs without a sandbox, too',
  ]
  return all.filter((note) => note !== false).join('; ')
}

function isCheckedHere({ id, version }: RunnableAgent): boolean {
  return isChecked(findProfile(id), version ?? undefined)
}

function row(agent: ListedAgent, known: Known): string[] {
  const here = used(agent)
  const signIn = here === null ? null : known.signIns.get(agent.id)
  const state = signIn === null ? '' : SIGN_IN_WORDS[signIn.state]
  return [agent.id, agent.name, showHere(here), agent.version ?? '', state, notes(agent, here, known)]
}

/** Values of variables may be keys: only their names are shown. */
function runnableJson(agent: RunnableAgent | null): object | null {
  if (agent === null) return null
  const { version, command, args, env } = agent
  return { version, command, args, env: Object.keys(env), checked: isCheckedHere(agent) }
}

function toJson({ agents, list }: AgentListing, { signIns, trusted, warm }: Known & { warm: boolean }): object {
  const shown = agents.map((agent) => ({
    id: agent.id,
    name: agent.name,
    description: agent.description,
    version: agent.version,
    ways: agent.ways,
    installed: runnableJson(agent.installed),
    found: runnableJson(agent.found),
    own: runnableJson(agent.own),
    signIn: signIns.get(agent.id),
    trusted: trusted.includes(agent.id),
  }))
  return { agents: shown, list, warm }
}

/** Those that are here come first, then the rest, by name. Never fails for a missing network. */
export async function listAgents(flags: { json?: boolean }): Promise<void> {
  await withAgentParts(async ({ registry, signIns }) => {
    const listing = await registry.list()
    const known = { signIns, trusted: await trustedAgents(), warm: await isWarm() }
    if (flags.json === true) {
      console.log(JSON.stringify(toJson(listing, known), null, 2))
      return
    }
    const rank = (agent: ListedAgent): number => (used(agent) === null ? 1 : 0)
    const sorted = [...listing.agents].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en'))
    if (sorted.length > 0)
      console.log(
        formatTable([['ID', 'NAME', 'HERE', 'NEWEST', 'SIGN-IN', 'NOTE'], ...sorted.map((agent) => row(agent, known))]),
      )
    if (listing.list.message !== null) warn(listing.list.message)
    else console.log('\nInstall one: leuria agents install <id>')
    console.log(warmWords(known.warm))
  })
}
