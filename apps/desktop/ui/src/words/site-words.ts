/** How sites, times and figures are written for people. Pure. */

/** `https://shop.example` → `shop.example`; anything but https keeps its scheme. */
export function siteName(origin: string): string {
  return origin === 'local' ? 'Programs on this computer' : origin.replace(/^https:\/\//, '')
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
