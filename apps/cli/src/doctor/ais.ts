/** What `leuria doctor` looks at of the AIs: saved services, the box, agents and their sign-ins. No AI is started. */
import { access, constants } from 'node:fs/promises'
import { findProfile, isChecked } from '@leuria/agent-acp'
import type { RunnableAgent, SignIn } from '@leuria/agent-registry'
import { type Box, openBox } from '@leuria/agent-sandbox'
import { openProviders } from '@leuria/state'
import { withAgentParts } from '../agent-registry.js'
import { withVisitorAgents } from '../commands/ai.js'
import { homeOptions, using } from '../home.js'
import { trustedAgents } from '../trusted-agents.js'
import { bad, type Finding, good } from './finding.js'

/** Asks each saved service for its models. @throws StateError */
export async function lookAtServices(): Promise<Finding[]> {
  const saved = await using(openProviders(homeOptions()), (file) => file.value.providers)
  if (saved.length === 0) return [good('Services', 'none is saved')]
  return withVisitorAgents(async (agents) => {
    await agents.refresh()
    const ais = agents.list()
    return saved.map(({ id, name, baseUrl }): Finding => {
      const ai = ais.find(({ service }) => service?.id === id)
      if (ai?.usable === true && ai.problem === undefined) return good(name, `answers at ${baseUrl}`)
      const detail = ai?.problem ?? `It can't be asked at ${baseUrl}.`
      return bad(
        name,
        detail,
        `Start it, or try it: leuria providers test ${id}. To forget it: leuria providers remove ${id}`,
      )
    })
  })
}

const BOX_NAMES: Readonly<Record<Box['kind'], string>> = {
  bubblewrap: 'bubblewrap',
  'sandbox-exec': 'sandbox-exec',
  none: 'no sandbox',
}

/** Opens a box and tries it, as every start of an agent does. */
export async function lookAtBox(): Promise<{ finding: Finding; kind: Box['kind'] }> {
  const { kind, proof } = await using(openBox(), (box) => Promise.resolve(box))
  if (kind !== 'none') return { kind, finding: good('Box', `${BOX_NAMES[kind]} is active. ${proof.message}`) }
  const fix =
    'Until there is one, only agents in a version that was checked with Leuria can be used, and those that you trust: leuria agents trust <id>'
  return { kind, finding: bad('Box', `There is no sandbox around agents. ${proof.message}`, fix) }
}

const SIGN_IN_WORDS: Readonly<Record<SignIn['state'], string>> = { signed_in: 'signed in', signed_out: 'signed out' }

interface AgentFacts {
  readonly signIn: SignIn | null
  readonly isBoxed: boolean
  /** The visitor does without a sandbox. */
  readonly isTrusted: boolean
}

async function lookAtAgent(agent: RunnableAgent, { signIn, isBoxed, isTrusted }: AgentFacts): Promise<Finding> {
  const { id, name, version, origin, command } = agent
  const isThere = await access(command, constants.X_OK).then(
    () => true,
    () => false,
  )
  const again = origin === 'own' ? `leuria agents add ${id} --command "…"` : `leuria agents install ${id}`
  if (!isThere) return bad(name, `Its program is gone: ${command}.`, `Have it again: ${again}`)
  if (!isBoxed && !isTrusted && !isChecked(findProfile(id), version ?? undefined)) {
    const fix = `Get a sandbox; see Box. Or let it run without one: leuria agents trust ${id}`
    return bad(name, 'Nobody has checked this version, and there is no sandbox for it.', fix)
  }
  if (signIn?.state === 'signed_out') return bad(name, 'It asks you to sign in.', `leuria login ${id}`)
  const state =
    signIn === null ? 'not started yet, so whether you are signed in is not known' : SIGN_IN_WORDS[signIn.state]
  const what = [version, origin === 'installed' ? null : origin].filter(Boolean).join(', ') || 'installed'
  const trust = isTrusted ? [`trusted: runs without a sandbox, too (leuria agents untrust ${id})`] : []
  return good(name, [what, state, ...trust].join('; '))
}

/** Those that Leuria installed, found, or was given. No network is used. @throws StateError */
export async function lookAtAgents(isBoxed: boolean): Promise<Finding[]> {
  return withAgentParts(async ({ registry, signIns }) => {
    const here = await registry.startable()
    if (here.length === 0) return [good('Agents', 'none is installed')]
    const trusted = await trustedAgents()
    return Promise.all(
      here.map((agent) =>
        lookAtAgent(agent, { signIn: signIns.get(agent.id), isBoxed, isTrusted: trusted.includes(agent.id) }),
      ),
    )
  })
}
