/**
 * The approval page's script, served as a file of its own (the page's policy forbids inline code).
 * It posts the visitor's click and follows an answer that was given elsewhere.
 */

/** How often the page asks whether the question was answered elsewhere, in milliseconds. */
const POLL_MS = 1_500
/** How long the page must have been in front before it takes a click: one meant for what was there before comes sooner. */
const SETTLE_MS = 700

export const APPROVAL_SCRIPT = `'use strict'
const main = document.querySelector('main')
const outcome = document.getElementById('outcome')
const buttons = [...document.querySelectorAll('button')]
const key = new URLSearchParams(location.search).get('key')
const base = '/connect/' + encodeURIComponent(main.dataset.request)
const words = {
  allowed: 'Done. The site can use your AI now. You can close this tab and go back to it.',
  denied: 'All right, not now. The site gets nothing. You can close this tab.',
  expired: 'This question has expired. Go back to the site and press Connect again.',
  lost: 'Leuria does not answer any more. Start it again, then press Connect on the site.',
}
let done = false
let settling

function setDisabled(disabled) {
  for (const button of buttons) button.disabled = disabled
}

function settle() {
  clearTimeout(settling)
  setDisabled(true)
  if (document.visibilityState === 'visible') settling = setTimeout(() => setDisabled(false), ${SETTLE_MS})
}

function finish(decision, { own = false } = {}) {
  done = true
  clearTimeout(settling)
  main.dataset.decision = decision
  outcome.textContent = words[decision]
  for (const button of buttons) button.hidden = true
  if (own) outcome.focus()
}

async function decide(allow) {
  setDisabled(true)
  try {
    const answer = await fetch(base + '/decide', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ allow, key }),
    })
    if (answer.ok) finish((await answer.json()).decision, { own: true })
    else if (answer.status === 410 || answer.status === 404) finish('expired')
    else {
      outcome.textContent = 'That did not work. Please try again.'
      setDisabled(false)
    }
  } catch {
    finish('lost')
  }
}

async function follow() {
  if (done) return
  try {
    const answer = await fetch(base + '/state')
    const decision = answer.ok ? (await answer.json()).decision : 'expired'
    if (!done && decision !== 'pending') finish(decision)
  } catch {
    if (!done) finish('lost')
  }
  if (!done) setTimeout(follow, ${POLL_MS})
}

document.getElementById('allow')?.addEventListener('click', () => void decide(true))
document.getElementById('deny')?.addEventListener('click', () => void decide(false))
document.addEventListener('visibilitychange', settle)
window.addEventListener('focus', settle)
settle()
setTimeout(follow, ${POLL_MS})
`
