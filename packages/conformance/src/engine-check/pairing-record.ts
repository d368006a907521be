/**
 * The kit's sites get connected, and what the engine did meanwhile is written down: the clauses of Pairing are judged by it.
 * Two sites are allowed, one is denied; that is all the visitor is asked for here.
 */
import { randomBytes } from 'node:crypto'
import { formatConnectLink, parseOrigin } from '@leuria/protocol'
import { ClauseBroken, NotObservable } from '../report/observe.js'
import { type Answer, type Call, seen } from '../wire-http.js'
import { fieldsOf } from './mcp-agent.js'
import type { Site, Subject } from './subject.js'

/** A request is on its way for less than this on one computer; nothing tells a page that its claim has arrived. */
const ARRIVAL_MS = 250
/** How long a claim may be looked at that should get no token. */
const LOOK_MS = 1_500

export interface PairingRecord {
  readonly shop: Site
  readonly other: Site
  /** The origin that the visitor said no to, and when. */
  readonly denied: { origin: string; nonce: string; at: number }
  /** What the first claim of the shop got once a later one had replaced its nonce. */
  readonly earlier: Answer
  /** A claim with the earlier nonce, made after that. */
  readonly late: Answer
  /** What another origin got with the shop's nonce; null: nothing within a moment. */
  readonly stolen: Answer | null
  readonly allowed: Answer
  /** A second claim after the token was collected; null: it was held. */
  readonly collected: Answer | null
  readonly refusal: Answer
  readonly afterRefusal: Answer
  /** App mode: a claim before any link, one with a wrong nonce after it, /health of the named origin. */
  readonly app: { before: Answer; wrongNonce: Answer; named: Answer } | null
  readonly page: PageRecord | null
}

/** The approval page of a pending question, where the visitor could tell its address. */
export interface PageRecord {
  readonly shown: Answer
  readonly decidedBySite: Answer
  readonly decidedByNobody: Answer
  readonly stateForSite: Answer
  readonly stateForPage: Answer
}

export function freshNonce(): string {
  return randomBytes(24).toString('base64url')
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function tokenOf({ json }: Answer): string | null {
  const { token } = fieldsOf(json)
  return typeof token === 'string' ? token : null
}

export function statusOf({ json }: Answer): unknown {
  return fieldsOf(json).status
}

export interface Claim {
  origin: string
  nonce: string
  more?: object
}

/** In app mode the link comes first; in page mode the claim itself asks. @throws NotObservable without a way to open it */
export async function openLink(subject: Subject, { origin, nonce }: Claim): Promise<void> {
  const { mode, visitor } = subject.options
  if (mode === 'page') return
  if (visitor.openLink === undefined)
    throw new NotObservable('in app mode the kit needs a way to open links: --open-command, or visitor.openLink')
  const site = parseOrigin(origin)
  if (site !== null) await visitor.openLink(formatConnectLink({ origin: site, nonce, app: 'Conformance kit' }))
}

export function claimOnce(subject: Subject, { origin, nonce, more }: Claim, call: Call = {}): Promise<Answer> {
  const { claimWaitMs } = subject.options.times
  return subject.call('/connect/claim', {
    origin,
    body: { nonce, app: 'Conformance kit', ...more },
    limitMs: claimWaitMs + 10_000,
    ...call,
  })
}

/** Claims until the visitor has answered. @throws ClauseBroken for whatever is no answer, and when nobody answers */
export async function claimUntilAnswered(subject: Subject, claim: Claim): Promise<Answer> {
  const endsAt = Date.now() + subject.options.answerLimitMs
  for (;;) {
    const answer = await claimOnce(subject, claim)
    if (answer.status !== 200) throw new ClauseBroken(seen(answer))
    if (statusOf(answer) !== 'pending') return answer
    if (Date.now() > endsAt) throw new NotObservable('the visitor did not answer in time')
  }
}

/** A claim that should get nothing: what it gets within a moment, or null. */
export async function claimBriefly(subject: Subject, claim: Claim): Promise<Answer | null> {
  const gone = new AbortController()
  const timer = setTimeout(() => {
    gone.abort()
  }, LOOK_MS)
  const answer = await claimOnce(subject, claim, { signal: gone.signal }).catch(() => null)
  clearTimeout(timer)
  return answer
}

/** Connects a site. */
export async function connect(subject: Subject, claim: Claim): Promise<{ site: Site; answer: Answer }> {
  await openLink(subject, claim)
  const claiming = claimUntilAnswered(subject, claim)
  claiming.catch(() => undefined)
  await pause(ARRIVAL_MS)
  await subject.options.visitor.answer({ origin: claim.origin, allow: true })
  const answer = await claiming
  const token = tokenOf(answer)
  if (statusOf(answer) !== 'allowed' || token === null) throw new ClauseBroken(seen(answer))
  return { site: { origin: claim.origin, token, live: new Set() }, answer }
}

async function lookAtApp(subject: Subject, claim: Claim): Promise<PairingRecord['app']> {
  if (subject.options.mode === 'page') return null
  const before = await claimOnce(subject, claim)
  await openLink(subject, claim)
  const wrongNonce = await claimOnce(subject, { ...claim, nonce: freshNonce() })
  return { before, wrongNonce, named: await subject.call('/health', { origin: claim.origin }) }
}

async function lookAtPage(subject: Subject, origin: string): Promise<PageRecord | null> {
  const { url, visitor, mode } = subject.options
  if (mode === 'app' || visitor.approvalUrl === undefined) return null
  const page = new URL(await visitor.approvalUrl(origin))
  const own = url.origin
  const body = { allow: true, ...Object.fromEntries(page.searchParams) }
  const path = page.pathname
  return {
    shown: await subject.call(path + page.search),
    decidedBySite: await subject.call(`${path}/decide`, { origin, body }),
    decidedByNobody: await subject.call(`${path}/decide`, { body }),
    stateForSite: await subject.call(`${path}/state`, { origin }),
    stateForPage: await subject.call(`${path}/state`, { origin: own }),
  }
}

/** The shop: asks, asks again, is spied on, and is allowed. */
async function pairShop(subject: Subject) {
  const origin = subject.origin('shop')
  const [first, second] = [freshNonce(), freshNonce()]
  const app = await lookAtApp(subject, { origin, nonce: first })
  const earlier = claimOnce(subject, { origin, nonce: first })
  earlier.catch(() => undefined)
  await pause(ARRIVAL_MS)
  await openLink(subject, { origin, nonce: second })
  const answered = claimUntilAnswered(subject, { origin, nonce: second })
  answered.catch(() => undefined)
  await pause(ARRIVAL_MS)
  const late = await claimOnce(subject, { origin, nonce: first })
  const page = await lookAtPage(subject, origin)
  const stealing = claimBriefly(subject, { origin: subject.origin('thief'), nonce: second })
  await pause(ARRIVAL_MS)
  await subject.options.visitor.answer({ origin, allow: true })
  const allowed = await answered
  const token = tokenOf(allowed)
  if (token === null) throw new ClauseBroken(seen(allowed))
  const collected = await claimBriefly(subject, { origin, nonce: second })
  const shop: Site = { origin, token, live: new Set() }
  return { shop, app, page, earlier: await earlier, late, allowed, stolen: await stealing, collected }
}

async function refuse(subject: Subject) {
  const claim: Claim = { origin: subject.origin('refused'), nonce: freshNonce() }
  await openLink(subject, claim)
  const claiming = claimUntilAnswered(subject, claim)
  claiming.catch(() => undefined)
  await pause(ARRIVAL_MS)
  await subject.options.visitor.answer({ origin: claim.origin, allow: false })
  const refusal = await claiming
  const denied = { ...claim, at: Date.now() }
  return { denied, refusal, afterRefusal: await claimOnce(subject, { origin: claim.origin, nonce: freshNonce() }) }
}

/** Unknown needs and a long name, as a page may send them. */
export const ODD_CLAIM = {
  app: 'Conformance kit '.repeat(20),
  needs: { tools: true, effort: 'deep', gpu: 1, admin: true },
}

export async function recordPairing(subject: Subject): Promise<PairingRecord> {
  const shop = await pairShop(subject)
  const { site } = await connect(subject, { origin: subject.origin('other'), nonce: freshNonce(), more: ODD_CLAIM })
  return { ...shop, other: site, ...(await refuse(subject)) }
}
