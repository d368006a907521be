/** Tells whether a text changed since it was embedded. Not for secrets: it is made to be fast, not to be hard to forge. */

const PRIMES = [0x01000193, 0x85ebca6b] as const
const SEEDS = [0x811c9dc5, 0x9747b28c] as const

/** 64 bits in two lanes of FNV-1a, and the length: no two texts of a site share it by chance. */
export function textHash(text: string): string {
  let [a, b]: [number, number] = [...SEEDS]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, PRIMES[0])
    b = Math.imul(b ^ unit ^ (a >>> 15), PRIMES[1])
  }
  return [a, b, text.length].map((part) => (part >>> 0).toString(36)).join('.')
}
