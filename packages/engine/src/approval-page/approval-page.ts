/**
 * The engine's own page on which the visitor answers a pairing question (Pairing, the CLI engine).
 * Everything to judge is in the HTML itself; only answering needs the script. Nothing here can be framed or injected into.
 */
import type { Needs, Origin } from '@leuria/protocol'
import type { Headers } from '../http/reply.js'
import { escapeHtml } from './escape-html.js'
import { describeSite, type SiteAddress } from './site-address.js'

/** What the page shows. */
export interface ApprovalView {
  requestId: string
  origin: Origin
  app?: string | undefined
  needs?: Needs | undefined
  /** A plain name for the AI that the site would get. */
  agentName: string
  /** The address carried the right key: only then the page has buttons. */
  mayDecide: boolean
}

/** No framing, no foreign or inline code, no referrer with the key in it. */
export const APPROVAL_HEADERS: Headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/connect/approval.css">
<link rel="icon" href="/connect/icon.svg" type="image/svg+xml">
</head>
<body>
${body}
</body>
</html>
`
}

const BRAND = `<p class="brand"><img src="/connect/icon.svg" alt="" width="28" height="28"> Leuria</p>`

function address(site: SiteAddress): string {
  const port = site.port === null ? '' : `<span class="quiet">:${escapeHtml(site.port)}</span>`
  const punycode =
    site.punycode === null
      ? ''
      : `<p class="app">Look twice: this name has letters that can pass for others. In plain letters it is <code>${escapeHtml(site.punycode)}</code>.</p>`
  return `<p class="site" data-testid="site"><span class="quiet">${escapeHtml(site.scheme)}://</span><strong>${escapeHtml(site.host)}</strong>${port}</p>${punycode}`
}

function warning(site: SiteAddress): string {
  if (!site.unencrypted) return ''
  return `<p class="warning" role="note"><strong>This site is not encrypted.</strong> Someone on the same network could read what it sends, or use your AI in its name. Allow it only if you trust the network.</p>`
}

/** Disabled until the script finds that a click can be meant for them. */
const ACTIONS = `<div class="actions">
<button id="allow" class="primary" type="button" disabled>Allow</button>
<button id="deny" type="button" disabled>Not now</button>
</div>
<noscript><p class="note">To answer, turn JavaScript on for this page. Closing it leaves the site without access.</p></noscript>`

const NO_ACTIONS = `<p class="note" data-testid="no-key">You can answer in the window that Leuria opened for you, or with the address shown in its terminal.</p>`

function appLine(app: string | undefined): string {
  return app === undefined ? '' : `<p class="app">It calls itself “${escapeHtml(app)}”.</p>`
}

function wishes(needs: Needs | undefined): string {
  const wanted = [
    needs?.tools === true ? 'can use tools' : '',
    needs?.images === true ? 'can look at pictures' : '',
    needs?.effort === 'deep' ? 'thinks hard' : '',
    needs?.effort === 'light' ? 'is quick' : '',
  ].filter((wish) => wish !== '')
  return wanted.length === 0 ? '' : `<p class="note">The site works best with an AI that ${wanted.join(' and ')}.</p>`
}

/** The question, with its buttons when the address carried the key. */
export function renderApproval(view: ApprovalView): string {
  const site = describeSite(view.origin)
  const body = `<main data-request="${escapeHtml(view.requestId)}">
${BRAND}
<h1>Let this site use your AI?</h1>
${address(site)}
${appLine(view.app)}
${warning(site)}
<div class="columns">
<section><h2>It can</h2><ul class="can" role="list">
<li>ask your AI questions and read the answers</li>
<li>give your AI its own tools, which run inside the site</li>
</ul></section>
<section><h2>It can't</h2><ul class="cannot" role="list">
<li>see your files, your other chats or your accounts</li>
<li>choose which AI you use, or see your keys</li>
<li>use anything before you say yes</li>
</ul></section>
</div>
<p class="ai">It would use <strong data-testid="agent">${escapeHtml(view.agentName)}</strong>.</p>
${wishes(view.needs)}
${view.mayDecide ? ACTIONS : NO_ACTIONS}
<p id="outcome" class="outcome" role="status" aria-live="polite" tabindex="-1"></p>
<p class="note">You can take this back at any time: <code>leuria sites revoke ${escapeHtml(view.origin)}</code></p>
</main>
<script src="/connect/approval.js" defer></script>`
  return page(`Let ${site.host} use your AI? · Leuria`, body)
}

/** For an address whose question has been answered, has expired, or never was. */
export function renderGone(): string {
  const body = `<main>
${BRAND}
<h1>There is nothing to answer here</h1>
<p>This question was answered already, or it is more than five minutes old.</p>
<p>If you want to connect a site, go back to it and press Connect again.</p>
</main>`
  return page('Nothing to answer · Leuria', body)
}
