/** The window without its built files: the questions of sites, and what stands in the way. Whole, but nothing more. */

const HTML = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Leuria</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/minimal.css">
<main><h1>Leuria</h1><p id="status" role="status">Starting…</p><ul id="questions"></ul><p id="sites"></p>
<p><button id="retry" hidden>Try again</button></p></main>
<script src="/minimal.js"></script></html>`

const CSS = `:root{color-scheme:light dark;font:16px/1.5 system-ui}main{max-width:40rem;margin:3rem auto;padding:0 1rem}
li{list-style:none;border:1px solid;border-radius:.5rem;padding:1rem;margin:1rem 0}ul{padding:0}button{font:inherit;padding:.4rem 1rem;margin-right:.5rem}`

const JS = `
const status = document.getElementById('status'), list = document.getElementById('questions'), sites = document.getElementById('sites'), retry = document.getElementById('retry')
let desktop = null, feed = null
const call = async (path, body) => {
  const { port, token } = desktop.engine
  const response = await fetch('http://127.0.0.1:' + port + '/admin' + path, { method: body ? 'POST' : 'GET', headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' }, body: body && JSON.stringify(body) })
  return response.json()
}
const button = (text, act) => { const made = document.createElement('button'); made.textContent = text; made.onclick = act; made.disabled = true; setTimeout(() => { made.disabled = false }, 700); return made }
const show = async () => {
  const { requests } = await call('/pairing')
  const { sites: connected } = await call('/sites')
  status.textContent = requests.length === 0 ? 'Leuria is running. No site asks for anything.' : 'A site asks to use your AI.'
  sites.textContent = connected.length === 0 ? '' : 'Connected: ' + connected.map((site) => site.origin).join(', ')
  list.replaceChildren(...requests.map(({ requestId, origin, app }) => {
    const item = document.createElement('li'), words = document.createElement('p'), answer = (allow) => () => call('/pairing/' + requestId, { allow })
    words.textContent = origin + ' asks to use your AI.' + (app ? ' It calls itself “' + app + '”.' : '')
    item.append(words, button('Allow', answer(true)), button('Not now', answer(false)))
    return item
  }))
}
const follow = async (engine) => {
  const stop = new AbortController(); feed?.abort(); feed = stop
  try {
    const response = await fetch('http://127.0.0.1:' + engine.port + '/admin/events', { headers: { authorization: 'Bearer ' + engine.token }, signal: stop.signal })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) { const { done, value } = await reader.read(); if (done) break; if (/^event: (open|reset|pairing|site)/m.test(value)) await show() }
  } catch {}
  if (feed === stop && desktop.engine === engine) setTimeout(() => follow(engine), 500)
}
const take = (next) => {
  const changed = next.engine?.token !== desktop?.engine?.token
  desktop = next
  retry.hidden = next.problem === null
  retry.onclick = () => next.retry()
  if (next.problem) status.textContent = next.problem.message
  else if (next.engine === null) status.textContent = 'Starting…'
  if (next.site) sites.textContent = 'Settings of ' + next.site.origin
  if (next.engine && changed) follow(next.engine)
}
addEventListener('leuria:desktop', (event) => take(event.detail))
if (window.leuriaDesktop) take(window.leuriaDesktop)
`

/** By path. */
export const MINIMAL_PAGE: Readonly<Record<string, { type: string; body: string }>> = {
  '/': { type: 'text/html; charset=utf-8', body: HTML },
  '/minimal.css': { type: 'text/css; charset=utf-8', body: CSS },
  '/minimal.js': { type: 'text/javascript; charset=utf-8', body: JS },
}
