/** Checks of Pairing: most judge what was recorded while the kit's sites were connected. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PAIRING } from '../../clauses/pairing.js'
import { cannotSee, holds, isSame } from '../../report/observe.js'
import { type Answer, seen } from '../../wire-http.js'
import { type Checks, type Kit, last, meanwhile, unseen, veryLast } from '../kit.js'
import { fieldsOf } from '../mcp-agent.js'
import {
  claimBriefly,
  connect,
  freshNonce,
  openLink,
  type PageRecord,
  pause,
  statusOf,
  tokenOf,
} from '../pairing-record.js'
import { recordExpiry, recordFlood, recordUnanswered, SLACK_MS } from '../patient-record.js'

function gotToken(answer: Answer | null): boolean {
  return answer !== null && tokenOf(answer) !== null
}

async function appRecord(kit: Kit) {
  return (await kit.pairing()).app ?? cannotSee('no link was opened')
}

async function pageRecord(kit: Kit): Promise<PageRecord> {
  const { page } = await kit.pairing()
  return (
    page ??
    cannotSee(
      'the address of the approval page is not known; --answer-from-stdin tells the kit, or visitor.approvalUrl',
    )
  )
}

async function isPaired(kit: Kit, origin: string, token: string): Promise<boolean> {
  return fieldsOf((await kit.call('/health', { origin, token })).json).paired === true
}

/** The other site's grant is taken back while it has a session. */
async function revoked(kit: Kit) {
  const { visitor } = kit.options
  const other = await kit.other()
  if (visitor.revoke === undefined)
    cannotSee('only the visitor can revoke; tell the kit how with --revoke-command, or visitor.revoke')
  const revoke = visitor.revoke.bind(visitor)
  return kit.subject.once('revoked', async () => {
    const session = await kit.session({}, other)
    const stream = await session.stream()
    await revoke(other.origin)
    await stream.end().catch(() => undefined)
    const after = await kit.call('/session/prepare', { origin: other.origin, token: other.token, body: {} })
    return { names: stream.names, ended: stream.inbox.closed, after }
  })
}

/** Not refused for its nonce, and no token. */
function isRefused(answer: Answer, status: number): void {
  holds(answer.status === status, seen(answer))
}

export const pairingChecks: Checks<keyof typeof PAIRING> = {
  'pair.claim.pending': meanwhile(async (kit) => {
    const { first, tookMs } = await recordUnanswered(kit)
    const { claimWaitMs } = kit.options.times
    holds(first.status === 200 && statusOf(first) === 'pending', seen(first))
    holds(tookMs <= claimWaitMs + SLACK_MS, `pending came after ${tookMs} ms`)
  }),
  'pair.claim.allowed': async (kit) => {
    const { allowed } = await kit.pairing()
    holds(statusOf(allowed) === 'allowed' && gotToken(allowed), seen(allowed))
  },
  'pair.claim.denied': async (kit) => {
    const { refusal } = await kit.pairing()
    holds(statusOf(refusal) === 'denied' && !gotToken(refusal), seen(refusal))
  },
  'pair.claim.asks': async (kit) => {
    await kit.pairing()
  },
  'pair.claim.before-link': async (kit) => {
    const { before } = await appRecord(kit)
    holds(before.status === 403 && before.text === '', seen(before))
  },
  'pair.claim.after-link': async (kit) => {
    const { named } = await appRecord(kit)
    isRefused(named, 200)
  },
  'pair.nonce.shape': async (kit) => {
    for (const nonce of [undefined, 7, '', 'short', 'n'.repeat(21), 'n'.repeat(129), `${'n'.repeat(30)}=`])
      isRefused(await kit.asShop('/connect/claim', { body: { nonce } }), 400)
  },
  'pair.nonce.wrong': async (kit) => {
    isRefused((await appRecord(kit)).wrongNonce, 404)
  },
  'pair.nonce.latest': async (kit) => {
    const { earlier, late } = await kit.pairing()
    isRefused(earlier, 404)
    isRefused(late, 404)
  },
  'pair.origin.own': async (kit) => {
    const { stolen } = await kit.pairing()
    holds(!gotToken(stolen), 'another origin got a token with the nonce of the first')
  },
  'pair.denied.cooldown': async (kit) => {
    const { afterRefusal } = await kit.pairing()
    const isQuiet = kit.options.mode === 'app' && afterRefusal.status === 403
    holds(afterRefusal.status === 429 || isQuiet, seen(afterRefusal))
  },
  'pair.denied.again': meanwhile(async (kit) => {
    const { cooldownMs } = kit.options.times
    kit.subject.needsMs(cooldownMs)
    const { denied } = await kit.pairing()
    await pause(Math.max(0, denied.at + cooldownMs + SLACK_MS - Date.now()))
    const claim = { origin: denied.origin, nonce: freshNonce() }
    await openLink(kit.subject, claim)
    const answer = await claimBriefly(kit.subject, claim)
    holds(answer === null || answer.status === 200, answer === null ? '' : seen(answer))
  }),
  'pair.token.once': async (kit) => {
    const { collected } = await kit.pairing()
    holds(!gotToken(collected), 'a second claim got a token again')
  },
  'pair.token.hashed': async (kit) => {
    const { home } = kit.options
    if (home === undefined) cannotSee("it is a file of the engine; name the engine's home folder with --home")
    const { token } = await kit.shop()
    const text = await readFile(join(home, 'grants.json'), 'utf8')
    holds(!text.includes(token), 'the token itself stands in grants.json')
    holds(text.includes(createHash('sha256').update(token).digest('hex')), "the token's SHA-256 is not in grants.json")
  },
  'pair.token.works': async (kit) => {
    const { shop } = await kit.pairing()
    holds(await isPaired(kit, shop.origin, shop.token), '/health does not say paired: true')
  },
  'pair.again.replaces': last(async (kit) => {
    const other = await kit.other()
    const old = other.token
    const { site } = await connect(kit.subject, { origin: other.origin, nonce: freshNonce() })
    other.token = site.token
    holds(old !== site.token, 'it is the same token')
    holds(!(await isPaired(kit, other.origin, old)), 'the old token is still valid')
    holds(await isPaired(kit, other.origin, site.token), 'the new token is not valid')
  }),
  'pair.again.choice': unseen("the visitor's choice is made outside of the protocol"),
  'pair.needs.vocabulary': async (kit) => {
    // The other site asked with needs that nobody knows.
    const { other } = await kit.pairing()
    holds(await isPaired(kit, other.origin, other.token), 'unknown needs kept a site from being connected')
  },
  'pair.needs.harmless': async (kit) => {
    const { origin, token } = await kit.other()
    const answer = await kit.call('/admin/status', { origin, token })
    holds([401, 403, 404].includes(answer.status), seen(answer))
  },
  'pair.expires': meanwhile(async (kit) => {
    const { last: answer, afterMs } = await recordExpiry(kit)
    const { pairingMs } = kit.options.times
    const isQuiet = kit.options.mode === 'app' && answer.status === 403
    holds(answer.status === 410 || isQuiet, seen(answer))
    holds(afterMs >= pairingMs * 0.95, `it expired after ${afterMs} ms`)
  }),
  'pair.limit': veryLast(async (kit) => {
    const answer = await recordFlood(kit)
    const isQuiet = kit.options.mode === 'app' && answer.status === 403
    holds(answer.status === 429 || isQuiet, seen(answer))
  }),
  'pair.app.long': async (kit) => {
    const { other } = await kit.pairing()
    holds(await isPaired(kit, other.origin, other.token), 'a long name kept a site from being connected')
  },
  'pair.revoke.sessions': last(async (kit) => {
    const { names, ended } = await revoked(kit)
    holds(
      ended && names.at(-1) === 'cancelled',
      `the stream's events were ${names.join(', ')}${ended ? '' : ', and it is open'}`,
    )
  }),
  'pair.revoke.token': last(async (kit) => {
    const { after } = await revoked(kit)
    holds(after.status === 401 || (kit.options.mode === 'app' && after.status === 403), seen(after))
  }),
  'pair.page.frames': async (kit) => {
    const { shown } = await pageRecord(kit)
    isSame(String(shown.headers['x-frame-options']).toUpperCase(), 'DENY', 'X-Frame-Options')
  },
  'pair.page.policy': async (kit) => {
    const { shown } = await pageRecord(kit)
    const policy = String(shown.headers['content-security-policy'] ?? 'nothing')
    const isStrict =
      /(default-src|script-src) /.test(policy) && !policy.includes('unsafe-') && policy.includes('frame-ancestors')
    holds(isStrict, `Content-Security-Policy: ${policy}`)
  },
  'pair.page.decide': async (kit) => {
    const origin = kit.subject.origin('stranger')
    isRefused(await kit.call('/connect/unknown/decide', { origin, body: { allow: true } }), 403)
    const { page } = await kit.pairing()
    for (const answer of page === null ? [] : [page.decidedBySite, page.decidedByNobody]) isRefused(answer, 403)
  },
  'pair.page.state': async (kit) => {
    isRefused(await kit.call('/connect/unknown/state', { origin: kit.subject.origin('stranger') }), 403)
    const { page } = await kit.pairing()
    if (page === null) return
    isRefused(page.stateForSite, 403)
    isRefused(page.stateForPage, 200)
  },
}
