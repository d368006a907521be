/** `leuria agents trust` and `untrust`: the visitor's word that an agent may run where no walls are around it. */
import { createInterface } from 'node:readline/promises'
import { findProfile, isChecked } from '@leuria/agent-acp'
import type { RunnableAgent } from '@leuria/agent-registry'
import { withAgentParts } from '../agent-registry.js'
import { UserError } from '../fail.js'
import { warn } from '../home.js'
import { printAnswer } from '../print-json.js'
import { hasTerminal } from '../sign-in-terminal.js'
import { setTrusted, trustedAgents } from '../trusted-agents.js'

export interface TrustFlags {
  /** Asked and answered already. */
  yes?: boolean
  json?: boolean
}

/** What the word means, before it is given. */
function meaning({ id, name, version }: RunnableAgent): string {
  const which = version === null ? name : `${name} ${version}`
  return [
    isChecked(findProfile(id), version ?? undefined)
      ? `${which} has been checked with Leuria and needs no trust; other versions of it would.`
      : `${which} has not been checked with Leuria: it may have tools of its own that nobody switched off.`,
    `Trusted, it also runs where this computer has no sandbox. It could then read and change your files and send them`,
    `anywhere, and so could a page that talks it into it. Leuria would still give it a page's tools only and refuse what it`,
    `asks for beyond them, but could not keep it from acting unasked. Where there is a sandbox, it runs inside all the same.`,
  ].join('\n')
}

/** @throws UserError where nobody can be asked, or who was asked doesn't want it */
async function confirm({ id, name }: RunnableAgent): Promise<void> {
  if (!hasTerminal()) throw new UserError(`Nothing was changed. If you mean it: leuria agents trust ${id} --yes`)
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await asking.question(`Trust ${name}? Type yes to do so: `)
    if (answer.trim().toLowerCase() !== 'yes') throw new UserError('Nothing was changed.')
  } finally {
    asking.close()
  }
}

/** @throws UserError */
export async function trustAgent(id: string, { yes, json }: TrustFlags): Promise<void> {
  const agent = await withAgentParts(({ registry }) => registry.find(id))
  if (agent === null) throw new UserError(`${id} is not on this computer. leuria agents lists those that are.`)
  const { id: known, name } = agent
  if ((await trustedAgents()).includes(known)) {
    printAnswer(json, { value: { id: known, trusted: true }, words: `${name} is trusted already.` })
    return
  }
  warn(meaning(agent))
  if (yes !== true) await confirm(agent)
  await setTrusted(known, true)
  printAnswer(json, {
    value: { id: known, trusted: true },
    words: `${name} is trusted from now on. To take that back: leuria agents untrust ${known}`,
  })
}

/** Also of an agent that is not there any more. @throws UserError when it isn't trusted */
export async function untrustAgent(id: string, { json }: { json?: boolean }): Promise<void> {
  const agent = await withAgentParts(({ registry }) => registry.find(id))
  const known = agent?.id ?? id
  if (!(await setTrusted(known, false)))
    throw new UserError(`${id} is not trusted. leuria agents shows those that are.`)
  printAnswer(json, {
    value: { id: known, trusted: false },
    words: `${agent?.name ?? known} is trusted no more. Its sessions end.`,
  })
}
