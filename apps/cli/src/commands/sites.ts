/** `leuria sites`: the connected sites and what they use, taking a connection back, and choosing a site's AI. A running engine sees it at once. */
import { openAudit } from '@leuria/audit'
import { type AgentSource, openVisitorAgents } from '@leuria/engine'
import { openGrantStore } from '@leuria/grant-store'
import type { Grant, Origin } from '@leuria/protocol'
import type { Usage } from '@leuria/usage'
import { UserError } from '../fail.js'
import { homeOptions, using, withGrants, withUsage } from '../home.js'
import { showTime } from '../local-time.js'
import { readOrigin } from '../read-origin.js'
import { formatTable } from '../table.js'
import { showUse } from '../usage-words.js'
import { printAnswer, printJson } from '../print-json.js'

function notConnected(origin: string): UserError {
  return new UserError(`${origin} is not connected. leuria sites lists the connected sites.`)
}

/** The AIs that can be chosen, from the home's files. */
function withAgents<Result>(work: (agents: AgentSource) => Promise<Result> | Result): Promise<Result> {
  const { home, log } = homeOptions()
  return using(openVisitorAgents(home, log), ({ source }) => work(source))
}

function showDate(iso: string | undefined): string {
  return iso === undefined ? 'never' : showTime(iso, { seconds: false })
}

function row(grant: Grant, agents: AgentSource, usage: Usage): string[] {
  const ai = grant.agent === undefined ? `default (${agents.nameFor(null)})` : agents.nameFor(grant)
  return [grant.origin, grant.app ?? '', ai, showDate(grant.lastUsedAt), showUse(usage.today(grant.origin))]
}

/** A site for programs: its grant without secrets, its limits, and what it has used. */
function toJson({ tokenHash: _, uncollected: _mark, ...site }: Grant, usage: Usage): object {
  const days = usage.days().flatMap(({ day, sites }) => {
    const used = sites.find(({ origin }) => origin === site.origin)
    return used === undefined
      ? []
      : [{ day, turns: used.turns, tokens: used.tokens, estimatedTokens: used.estimatedTokens }]
  })
  return { ...site, limits: usage.limitsOf(site.origin), usage: days }
}

/** Lists the connected sites and what they have used; hashes of tokens are left out. */
export async function listSites(flags: { json?: boolean }): Promise<void> {
  const sites = await withGrants((grants) => grants.list())
  if (flags.json === true) {
    const shown = await withUsage((usage) => sites.map((grant) => toJson(grant, usage)))
    printJson({ sites: shown })
    return
  }
  if (sites.length === 0) {
    console.log('No site is connected. Open one that works with Leuria and press Connect there.')
    return
  }
  const rows = await withAgents((agents) => withUsage((usage) => sites.map((grant) => row(grant, agents, usage))))
  console.log(formatTable([['SITE', 'NAME', 'AI', 'LAST USED', 'USED TODAY'], ...rows]))
}

/** Takes the grant back and notes it in the log, whether or not an engine runs. False: there was none. */
function revoke(origin: Origin): Promise<boolean> {
  return using(Promise.resolve(openAudit(homeOptions())), (audit) => {
    const revoked = (site: Origin): void => {
      audit.record({ kind: 'grant_revoked', origin: site })
    }
    return using(openGrantStore({ ...homeOptions(), revoked }), (grants) => grants.revoke(origin))
  })
}

/** @throws UserError when the site isn't connected */
export async function revokeSite(text: string, { json }: { json?: boolean } = {}): Promise<void> {
  const origin = readOrigin(text)
  if (!(await revoke(origin))) throw notConnected(origin)
  printAnswer(json, { value: { revoked: origin }, words: `${origin} is disconnected. Its sessions have ended.` })
}

export interface SiteChoice {
  origin: string
  ai: string
  model?: string
  json?: boolean
}

/** @throws UserError for an unknown site or AI */
export async function chooseForSite({ origin: text, ai, model, json }: SiteChoice): Promise<void> {
  const origin = readOrigin(text)
  const agent = ai === 'default' ? null : ai
  if (agent === null && model !== undefined) throw new UserError('--model goes with an AI, not with default.')
  const name = await withAgents((agents) => (agent === null ? agents.nameFor(null) : agents.find(agent)?.name))
  if (name === undefined) throw new UserError(`There is no AI "${ai}". Use demo, default, or llm:<provider>/<model>.`)
  const chosen = { agent, model: agent !== null && model !== undefined ? { agent, id: model } : null }
  if (!(await withGrants((grants) => grants.choose(origin, chosen)))) throw notConnected(origin)
  printAnswer(json, {
    value: { origin, agent, model: model ?? null, name },
    words: `${origin} uses ${name}${model === undefined ? '' : ` (${model})`} from now on.`,
  })
}
