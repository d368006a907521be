/** The few signs of the page, drawn with the text's colour. */
import { svg } from './element.js'

const PATHS = {
  cart: 'M3 4h2l2.2 11h10.2l2-8H6.2 M9 20a1 1 0 1 0 .01 0 M17 20a1 1 0 1 0 .01 0',
  close: 'M6 6l12 12 M18 6L6 18',
  search: 'M11 5a6 6 0 1 0 0 12a6 6 0 0 0 0-12 M15.5 15.5L20 20',
  send: 'M12 19V6 M6 11l6-6 6 6',
  stop: 'M7.5 7.5h9v9h-9z',
  minus: 'M6 12h12',
  plus: 'M6 12h12 M12 6v12',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10 M17 7L7 17',
  chat: 'M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16h-7l-4.5 4v-4H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5z',
  code: 'M9 7l-5 5l5 5 M15 7l5 5l-5 5',
  picture: 'M4.5 5.5h15v13h-15z M8.5 10a1.2 1.2 0 1 0 .01 0 M5 17l5-4.5l3 2.5l3-3.5l3.5 4',
  trash: 'M5 7h14 M9.5 7V5h5v2 M7 7l.8 12h8.4L17 7',
  spark: 'M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8z',
  link: 'M9.5 14.5l5-5 M11 7l1.2-1.2a4 4 0 0 1 5.7 5.7L16.7 12.7 M13 17l-1.2 1.2a4 4 0 0 1-5.7-5.7l1.2-1.2',
} as const

export type IconName = keyof typeof PATHS

export function icon(name: IconName): SVGElement {
  const stroke = { fill: 'none', stroke: 'currentColor', 'stroke-width': 1.8 }
  const line = { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }
  return svg(
    'svg',
    { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', focusable: 'false', ...stroke, ...line },
    svg('path', { d: PATHS[name] }),
  )
}
