/** Checks of Health. */
import type { HEALTH } from '../../clauses/conventions.js'
import { holds, isSame } from '../../report/observe.js'
import { type Call, seen } from '../../wire-http.js'
import { type Checks, type Kit } from '../kit.js'
import { fieldsOf } from '../mcp-agent.js'
import { pause } from '../pairing-record.js'

async function health(kit: Kit, call: Call = {}) {
  const answer = await kit.call('/health', call)
  holds(answer.status === 200, seen(answer))
  return fieldsOf(answer.json)
}

/** How long an engine may take to find the model that it has just used, and how often the kit looks. */
const MODEL_LOOKS = 20
const MODEL_LOOK_MS = 250

/** The model that /health names for the shop, once it names the one that /embed used. */
export async function modelInHealth(kit: Kit, model: unknown): Promise<unknown> {
  const { origin, token } = await kit.shop()
  for (let look = 0; look < MODEL_LOOKS; look += 1) {
    const { embed } = await health(kit, { origin, token })
    if (embed === model) return embed
    await pause(MODEL_LOOK_MS)
  }
  return (await health(kit, { origin, token })).embed
}

export const healthChecks: Checks<keyof typeof HEALTH> = {
  'health.leuria': async (kit) => {
    const { leuria } = await health(kit)
    holds(typeof leuria === 'string' && leuria !== '', `leuria is ${JSON.stringify(leuria)}`)
  },
  'health.ok': async (kit) => {
    const { origin, token } = await kit.shop()
    for (const call of [{}, { origin }, { origin, token }]) isSame((await health(kit, call)).ok, true, 'ok')
  },
  'health.agent': async (kit) => {
    const { origin, token } = await kit.shop()
    for (const call of [{}, { origin, token }]) {
      const { agent } = await health(kit, call)
      holds(typeof agent === 'string' && agent.trim() !== '', `agent is ${JSON.stringify(agent)}`)
    }
  },
  'health.approvals': async (kit) => {
    isSame((await health(kit)).approvals, kit.options.mode, 'approvals')
  },
  'health.local': async (kit) => {
    await health(kit)
  },
  'health.paired.true': async (kit) => {
    const { origin, token } = await kit.shop()
    isSame((await health(kit, { origin, token })).paired, true, 'paired')
  },
  'health.paired.false': async (kit) => {
    const [{ origin }, other] = [await kit.shop(), await kit.other()]
    for (const token of [undefined, 'wrong', other.token])
      isSame((await health(kit, { origin, token })).paired, false, 'paired')
  },
  'health.paired.pages-only': async (kit) => {
    const { token } = await kit.shop()
    for (const call of [{}, { token }]) isSame((await health(kit, call)).paired, undefined, 'paired')
  },
  'health.embed': async (kit) => {
    const embedded = await kit.asShop('/embed', { body: { texts: ['a lamp'] } })
    const { model } = fieldsOf(embedded.json)
    isSame(await modelInHealth(kit, model), model, 'embed')
  },
  'health.embed.absent': async (kit) => {
    const { origin } = await kit.shop()
    for (const call of [{}, { origin }, { origin, token: 'wrong' }])
      isSame((await health(kit, call)).embed, undefined, 'embed')
  },
  'health.silent': async (kit) => {
    const answer = await kit.call('/health', { origin: kit.subject.origin('stranger') })
    holds(answer.status === 403 && answer.text === '', seen(answer))
  },
}
