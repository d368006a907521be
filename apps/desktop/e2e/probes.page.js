/* global document, window, performance, fetch, XMLHttpRequest, WebSocket, EventSource, FontFace, navigator */
/**
 * Runs in a web page: every way in which its script can knock at a port of this computer, and what it gets to see.
 * `probeAll(base)` resolves with what was seen, by name; nothing in it is a time, so that two ports can be compared.
 */

/** Longest wait for an event that should come, in ms. */
const PATIENCE_MS = 20_000
/** How often something is looked at that tells no event, in ms. */
const LOOK_MS = 20

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(holds) {
  for (let waited = 0; waited < PATIENCE_MS && !holds(); waited += LOOK_MS) await wait(LOOK_MS)
}

function attempt(look) {
  try {
    return String(look())
  } catch (error) {
    return `throws ${error.name}`
  }
}

function viaFetch(url, init) {
  return fetch(url, init).then(
    (answer) => `resolved: ${answer.type} ${answer.status} ${answer.url}`,
    (error) => `rejected: ${error.name} ${error.message}`,
  )
}

function viaXhr(url, method) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const seen = []
    for (const name of ['loadstart', 'progress', 'abort', 'error', 'load', 'timeout', 'loadend'])
      for (const [target, prefix] of [
        [request, ''],
        [request.upload, 'upload '],
      ])
        target.addEventListener(name, () => {
          seen.push(prefix + name)
          if (prefix + name === 'loadend') resolve(`${seen} ${request.status} ${request.getAllResponseHeaders()}`)
        })
    request.open(method, url)
    request.send(method === 'POST' ? 'hello' : null)
  })
}

/** Puts an element into the page and tells which events it had. */
function viaElement(tag, properties) {
  return new Promise((resolve) => {
    const element = document.createElement(tag)
    const seen = []
    const finish = () => {
      resolve(`${seen} ${element.naturalWidth ?? ''} ${element.error?.message ?? ''}`)
    }
    for (const name of ['load', 'error', 'abort', 'loadstart', 'loadedmetadata', 'stalled'])
      element.addEventListener(name, () => {
        seen.push(name)
        if (name === 'load' || name === 'error') setTimeout(finish, 50)
      })
    setTimeout(finish, PATIENCE_MS)
    Object.assign(element, properties)
    document.body.append(element)
  })
}

/** What can be seen of a window that holds another site's document, or none. */
function lookAt(other) {
  return ['closed', 'length', 'origin', 'name', 'document']
    .map((what) => `${what}=${attempt(() => other[what])}`)
    .concat(`href=${attempt(() => other.location.href)}`)
    .join(' ')
}

async function viaFrame(navigate) {
  const frame = document.createElement('iframe')
  frame.name = `frame-${Math.random()}`
  document.body.append(frame)
  const seen = []
  frame.addEventListener('load', () => seen.push('load'))
  frame.addEventListener('error', () => seen.push('error'))
  navigate(frame)
  await until(() => seen.length > 0)
  return `${seen} ${lookAt(frame.contentWindow)}`
}

/** Another tab is sent there, looked at, and brought back to where its history can be read. */
async function viaTab(navigate) {
  const tab = window.open('about:blank', `tab-${Math.random()}`)
  if (tab === null) return 'no tab'
  const isForeign = () => attempt(() => tab.location.href).startsWith('throws')
  navigate(tab)
  await until(isForeign)
  const there = lookAt(tab)
  tab.location = 'about:blank'
  await until(() => !isForeign())
  const back = `history=${attempt(() => tab.history.length)}`
  tab.close()
  return `${there} ${back}`
}

/** Sends a form to a frame or tab, by its name. */
function submit(url, method, target) {
  const form = Object.assign(document.createElement('form'), { action: url, method, target })
  form.append(Object.assign(document.createElement('input'), { name: 'a', value: 'b' }))
  document.body.append(form)
  form.submit()
}

function viaSocket(url) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
    const seen = []
    socket.addEventListener('open', () => seen.push('open'))
    socket.addEventListener('error', () => seen.push(`error in state ${socket.readyState}`))
    socket.addEventListener('close', ({ code, reason, wasClean }) => {
      resolve(`${seen} closed ${code} ${reason} ${wasClean}`)
    })
  })
}

function viaEventSource(url) {
  return new Promise((resolve) => {
    const source = new EventSource(url)
    const finish = (what) => () => {
      resolve(`${what} in state ${source.readyState}`)
      source.close()
    }
    source.addEventListener('open', finish('open'))
    source.addEventListener('error', finish('error'))
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }

const probes = {
  'fetch, cors': (base) => viaFetch(`${base}/health`),
  'fetch, cors, with a token': (base) => viaFetch(`${base}/health`, { headers: { authorization: 'Bearer x' } }),
  'fetch, cors, JSON': (base) => viaFetch(`${base}/connect/claim`, { method: 'POST', body: '{}', headers: JSON_TYPE }),
  'fetch, cors, text': (base) => viaFetch(`${base}/connect/claim`, { method: 'POST', body: '{}' }),
  'fetch, cors, DELETE': (base) => viaFetch(`${base}/admin/sites`, { method: 'DELETE' }),
  'fetch, no-cors': (base) => viaFetch(`${base}/health`, { mode: 'no-cors' }),
  'fetch, no-cors, HEAD': (base) => viaFetch(`${base}/health`, { mode: 'no-cors', method: 'HEAD' }),
  'fetch, no-cors, POST': (base) => viaFetch(`${base}/health`, { mode: 'no-cors', method: 'POST', body: 'x' }),
  'fetch, no-cors, an odd target': (base) => viaFetch(`${base}//`, { mode: 'no-cors' }),
  'fetch, no-cors, a long target': (base) => viaFetch(`${base}/${'a'.repeat(60_000)}`, { mode: 'no-cors' }),
  'fetch, no-cors, keepalive': (base) => viaFetch(`${base}/health?k`, { mode: 'no-cors', keepalive: true }),
  beacon: (base) => Promise.resolve(navigator.sendBeacon(`${base}/health`, 'x')),
  'XMLHttpRequest, GET': (base) => viaXhr(`${base}/health`, 'GET'),
  'XMLHttpRequest, POST': (base) => viaXhr(`${base}/health`, 'POST'),
  image: (base) => viaElement('img', { src: `${base}/connect/icon.svg` }),
  'image, cors': (base) => viaElement('img', { crossOrigin: 'anonymous', src: `${base}/connect/icon.svg?c` }),
  script: (base) => viaElement('script', { src: `${base}/connect/approval.js` }),
  'script, module': (base) => viaElement('script', { type: 'module', src: `${base}/connect/approval.js?m` }),
  import: (base) =>
    import(`${base}/connect/approval.js?i`).then(
      () => 'imported',
      (error) => error.name,
    ),
  'style sheet': (base) => viaElement('link', { rel: 'stylesheet', href: `${base}/connect/approval.css` }),
  preload: (base) => viaElement('link', { rel: 'preload', as: 'image', href: `${base}/connect/icon.svg?p` }),
  prefetch: (base) => viaElement('link', { rel: 'prefetch', href: `${base}/health?p` }),
  video: (base) => viaElement('video', { preload: 'auto', src: `${base}/health` }),
  audio: (base) => viaElement('audio', { preload: 'auto', src: `${base}/health` }),
  object: (base) => viaElement('object', { data: `${base}/health` }),
  embed: (base) => viaElement('embed', { src: `${base}/health` }),
  font: (base) =>
    new FontFace('Probe', `url(${base}/health)`).load().then(
      () => 'loaded',
      (error) => error.name,
    ),
  iframe: (base) => viaFrame((frame) => (frame.src = `${base}/health`)),
  'iframe of an approval page': (base) => viaFrame((frame) => (frame.src = `${base}/connect/abcdefgh?key=k`)),
  'form, GET, into a frame': (base) => viaFrame((frame) => submit(`${base}/health`, 'get', frame.name)),
  'form, POST, into a frame': (base) => viaFrame((frame) => submit(`${base}/health`, 'post', frame.name)),
  'form, POST, into a tab': (base) => viaTab((tab) => submit(`${base}/health`, 'post', tab.name)),
  navigation: (base) => viaTab((tab) => (tab.location = `${base}/health`)),
  'navigation to an approval page': (base) => viaTab((tab) => (tab.location = `${base}/connect/abcdefgh?key=k`)),
  WebSocket: (base) => viaSocket(`${base.replace('http', 'ws')}/webmcp/register`),
  'WebSocket, another path': (base) => viaSocket(`${base.replace('http', 'ws')}/x`),
  EventSource: (base) => viaEventSource(`${base}/session/a/stream`),
}

/** What the browser's own bookkeeping tells the page, times left out. */
function resourceEntries(base) {
  const entries = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith(base))
  return entries
    .map((entry) =>
      [
        entry.initiatorType,
        new URL(entry.name).pathname.slice(0, 30),
        `status ${entry.responseStatus}`,
        `bytes ${entry.transferSize} ${entry.encodedBodySize}`,
        `protocol ${entry.nextHopProtocol}`,
        `times shown ${entry.requestStart !== 0}`,
      ].join(' '),
    )
    .sort()
    .join('\n')
}

/** One after the other: side by side they share few connections and get into each other's way. */
globalThis.probeAll = async (base) => {
  const seen = {}
  for (const [name, probe] of Object.entries(probes)) seen[name] = String(await probe(base))
  return { ...seen, 'resource timing': resourceEntries(base) }
}
