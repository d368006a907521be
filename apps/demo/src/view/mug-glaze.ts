/** What a glaze does on a mug's wall: flecks, drips, bands, rings. Drawn inside the body's outline, the same each time. */
import type { Mug } from '../shop/catalogue.js'
import type { Pattern } from '../shop/mug-look.js'
import { svg } from './element.js'
import type { MugBody } from './mug-body.js'

interface Wall {
  left: number
  right: number
  top: number
  bottom: number
  clay: string
  /** The next of a row of numbers from 0 to 1 that is the mug's own. */
  chance: () => number
}

const PATTERNS: Readonly<Record<Pattern, (wall: Wall) => SVGElement[]>> = {
  plain: ({ left, right, bottom, clay }) => [
    svg('rect', { x: left, y: bottom - 9, width: right - left, height: 12, fill: clay, 'fill-opacity': 0.55 }),
  ],
  speckled: (wall) => Array.from({ length: 46 }, () => fleck(wall)),
  dipped: ({ left, right, top, bottom, clay }) => {
    const line = top + (bottom - top) * 0.62
    const middle = (left + right) / 2
    const edge = `M ${left} ${line + 4} C ${left + 26} ${line - 6} ${middle - 8} ${line + 9} ${middle + 8} ${line + 1} S ${right - 18} ${line - 3} ${right} ${line + 6}`
    return [
      svg('path', { d: `${edge} L ${right} ${bottom + 4} L ${left} ${bottom + 4} Z`, fill: clay }),
      svg('path', { d: edge, fill: 'none', stroke: '#fff', 'stroke-opacity': 0.35, 'stroke-width': 2 }),
    ]
  },
  dripped: (wall) => drips(wall),
  banded: ({ left, right, top, bottom, clay }) =>
    [0.3, 0.62].map((at) => {
      const y = top + (bottom - top) * at
      const curve = `M ${left} ${y} Q ${(left + right) / 2} ${y + 13} ${right} ${y}`
      return svg('path', { d: curve, fill: 'none', stroke: clay, 'stroke-width': (bottom - top) * 0.15 })
    }),
  rings: ({ left, right, top, bottom, clay, chance }) =>
    Array.from({ length: 7 }, (_, ring) => {
      const y = top + ((bottom - top) * (ring + 1)) / 8
      const curve = `M ${left} ${y} Q ${(left + right) / 2} ${y + 11} ${right} ${y}`
      return svg('path', {
        ...{ d: curve, fill: 'none', stroke: clay },
        'stroke-width': 1.5 + chance() * 3,
        'stroke-opacity': 0.35 + chance() * 0.35,
      })
    }),
}

export function glazePattern(mug: Mug, body: MugBody): SVGElement[] {
  const half = body.rim + body.belly + 2
  return PATTERNS[mug.look.pattern]({
    left: body.centre - half,
    right: body.centre + half,
    top: body.top,
    bottom: body.bottom,
    clay: mug.look.clay,
    chance: chanceOf(mug.id),
  })
}

function fleck({ left, right, top, bottom, clay, chance }: Wall): SVGElement {
  const r = 0.6 + chance() * 1.5
  const cx = left + chance() * (right - left)
  const cy = top + 8 + chance() * (bottom - top - 10)
  return svg('circle', { cx, cy, r, fill: clay, 'fill-opacity': 0.5 + chance() * 0.5 })
}

/** A second glaze poured over the rim: it runs down in tongues of different length. */
function drips({ left, right, top, bottom, clay, chance }: Wall): SVGElement[] {
  const tongues = 7
  const width = (right - left) / tongues
  let path = `M ${left} ${top - 12}`
  for (let tongue = 0; tongue < tongues; tongue += 1) {
    const x = left + tongue * width
    const low = top + (bottom - top) * (0.22 + chance() * 0.36)
    const high = top + (bottom - top) * 0.2
    path += ` L ${x} ${high} C ${x + width * 0.1} ${low} ${x + width * 0.3} ${low + 6} ${x + width / 2} ${low + 6} S ${x + width * 0.9} ${low} ${x + width} ${high}`
  }
  return [svg('path', { d: `${path} L ${right} ${top - 12} Z`, fill: clay })]
}

/** A row of numbers made from a name (mulberry32): drawings must not change from load to load. Not for secrets. */
function chanceOf(name: string): () => number {
  let state = [...name].reduce((sum, character) => Math.imul(sum ^ (character.codePointAt(0) ?? 0), 2_654_435_761), 1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
