/** Draws a mug from its look: body, handle, glaze and light. No two drawings share an id, so any number fit on a page. */
import type { Mug } from '../shop/catalogue.js'
import type { Shape } from '../shop/mug-look.js'
import { svg } from './element.js'
import type { MugBody } from './mug-body.js'
import { glazePattern } from './mug-glaze.js'

const BODIES: Readonly<Record<Shape, MugBody>> = {
  straight: { centre: 90, top: 44, bottom: 150, rim: 44, foot: 40, belly: 2 },
  round: { centre: 90, top: 52, bottom: 150, rim: 40, foot: 30, belly: 18 },
  tall: { centre: 92, top: 28, bottom: 152, rim: 38, foot: 34, belly: 2 },
  wide: { centre: 90, top: 62, bottom: 148, rim: 58, foot: 36, belly: 6 },
  small: { centre: 92, top: 82, bottom: 150, rim: 32, foot: 24, belly: 5 },
}

let drawings = 0

export function mugDrawing(mug: Mug): SVGElement {
  drawings += 1
  const id = `mug-${mug.id}-${drawings}`
  const body = BODIES[mug.look.shape]
  const outline = bodyPath(body)
  const { glaze } = mug.look
  return svg(
    'svg',
    { viewBox: '0 0 200 180', class: 'mug', 'aria-hidden': 'true', focusable: 'false' },
    defs(id, outline),
    svg('ellipse', { class: 'mug-shadow', cx: body.centre + 8, cy: body.bottom + 4, rx: body.foot + 34, ry: 8 }),
    handle(body, glaze, id),
    svg('path', { d: outline, fill: glaze }),
    svg('g', { 'clip-path': `url(#${id}-body)` }, ...glazePattern(mug, body), shade(body, id)),
    ...rim(body, glaze),
  )
}

/** From the rim's left end around the foot to its right end. */
function bodyPath({ centre, top, bottom, rim, foot, belly }: MugBody): string {
  const third = (bottom - top) / 3
  const left = `M ${centre - rim} ${top} C ${centre - rim - belly} ${top + third} ${centre - foot - belly} ${bottom - third * 0.8} ${centre - foot} ${bottom - 6}`
  const base = `Q ${centre - foot + 2} ${bottom} ${centre - foot + 12} ${bottom} L ${centre + foot - 12} ${bottom} Q ${centre + foot - 2} ${bottom} ${centre + foot} ${bottom - 6}`
  const right = `C ${centre + foot + belly} ${bottom - third * 0.8} ${centre + rim + belly} ${top + third} ${centre + rim} ${top} Z`
  return `${left} ${base} ${right}`
}

function defs(id: string, outline: string): SVGElement {
  const stop = (offset: number, colour: string, opacity: number): SVGElement =>
    svg('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity })
  return svg(
    'defs',
    {},
    svg('clipPath', { id: `${id}-body` }, svg('path', { d: outline })),
    svg(
      'linearGradient',
      { id: `${id}-light`, x1: 0, x2: 1, y1: 0, y2: 0 },
      ...[stop(0, '#000', 0.22), stop(0.16, '#000', 0.05), stop(0.3, '#fff', 0.26), stop(0.42, '#fff', 0.02)],
      ...[stop(0.7, '#000', 0.08), stop(1, '#000', 0.3)],
    ),
  )
}

function shade({ centre, top, bottom, rim, belly }: MugBody, id: string): SVGElement {
  const half = rim + belly + 4
  return svg('rect', {
    x: centre - half,
    y: top - 4,
    width: half * 2,
    height: bottom - top + 8,
    fill: `url(#${id}-light)`,
  })
}

function handle({ centre, top, bottom, rim, foot, belly }: MugBody, glaze: string, id: string): SVGElement {
  const height = bottom - top
  const width = Math.max(10, height * 0.12)
  const from = { x: centre + rim + belly * 0.5 - 6, y: top + height * 0.18 }
  const to = { x: centre + foot + belly * 0.8 - 5, y: top + height * 0.74 }
  const reach = 20 + height * 0.26
  const path = `M ${from.x} ${from.y} C ${from.x + reach} ${from.y - 6} ${to.x + reach + 8} ${to.y + 4} ${to.x} ${to.y}`
  const stroke = { d: path, fill: 'none', 'stroke-width': width, 'stroke-linecap': 'round' }
  return svg(
    'g',
    { id: `${id}-handle` },
    svg('path', { ...stroke, stroke: glaze }),
    svg('path', { ...stroke, stroke: '#000', 'stroke-opacity': 0.18 }),
    svg('path', {
      ...stroke,
      stroke: '#fff',
      'stroke-opacity': 0.18,
      'stroke-width': width * 0.3,
      transform: 'translate(-1 -2)',
    }),
  )
}

/** The opening: its lip catches the light, its inside is in the shade. */
function rim({ centre, top, rim: half }: MugBody, glaze: string): SVGElement[] {
  const ry = half * 0.2
  return [
    svg('ellipse', { cx: centre, cy: top, rx: half, ry, fill: glaze }),
    svg('ellipse', { cx: centre, cy: top, rx: half, ry, fill: '#fff', 'fill-opacity': 0.32 }),
    svg('ellipse', { cx: centre, cy: top + 1, rx: half - 4, ry: ry - 2.5, fill: '#2a1d14', 'fill-opacity': 0.62 }),
    svg('ellipse', { cx: centre, cy: top + 4, rx: half - 9, ry: ry - 4.5, fill: glaze, 'fill-opacity': 0.4 }),
  ]
}
