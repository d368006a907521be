/** How sites, times and figures are written for people. Pure. */

/** `https://shop.example` → `shop.example`; anything but https keeps its scheme. */
export function siteName(origin: string): string {
  return origin === 'local' ? 'Programs on this computer' : origin.replace(/^https:\/\//, '')
}

/** This computer itself: nobody is on the way to it. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

/** What somebody should know of an address before they trust it, a sentence each. */
export function addressWarnings(origin: string): string[] {
  const { protocol, hostname } = new URL(origin)
  const warnings = [
    protocol === 'http:' &&
      !isLoopback(hostname) &&
      'This site is not encrypted. Someone on the same network could read what it sends, or use your AI in its name.',
    /(^|\.)xn--/.test(hostname) &&
      'Look twice: a browser shows this name with letters that can pass for others. Above it is in plain letters.',
  ]
  return warnings.filter((warning) => warning !== false)
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** `3 hours ago`, `yesterday`, `just now`. */
export function since(iso: string, now = Date.now()): string {
  const agoMs = now - Date.parse(iso)
  for (const [unit, ms] of UNITS) if (agoMs >= ms) return relative.format(-Math.floor(agoMs / ms), unit)
  return 'just now'
}

/** What a site says it needs, as a sentence each. Unknown needs are left out. */
export function needWords(needs: Readonly<Record<string, unknown>> | undefined): string[] {
  if (needs === undefined) return []
  const words = [
    needs.tools === true && 'use things on its page, such as a search or a cart',
    needs.images === true && 'show it pictures',
    needs.effort === 'deep' && 'think hard about difficult questions',
  ]
  return words.filter((word) => word !== false)
}
