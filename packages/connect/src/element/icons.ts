/** The few signs of the elements, drawn in the text's colour; the words beside them say it all. */
import { svg, type SVGTemplateResult } from 'lit'
import { html, type TemplateResult } from 'lit'

const SHAPES = {
  /** Leuria's mark. */
  mark: svg`<path d="M7.5 4.5v11.2a3.3 3.3 0 0 0 3.3 3.3h7.7" stroke-width="2.8"/><circle cx="16.6" cy="8" r="2.7" fill="currentColor" stroke="none"/>`,
  down: svg`<path d="M6.5 9.5 12 15l5.5-5.5"/>`,
  close: svg`<path d="M6 6l12 12M18 6 6 18"/>`,
  busy: svg`<circle cx="12" cy="12" r="8.5" opacity=".3"/><path d="M12 3.5a8.5 8.5 0 0 1 8.5 8.5"/>`,
  computer: svg`<path d="M5 16.5v-10h14v10M2.5 19.5h19"/>`,
  manage: svg`<path d="M4 8h9M19 8h1M4 16h1M11 16h9"/><circle cx="16" cy="8" r="2.6"/><circle cx="8" cy="16" r="2.6"/>`,
  leave: svg`<path d="M9.5 14.5l-2.7 2.7M17.2 6.8l-2.7 2.7M8 8 5 5M19 19l-3-3M12 5.5l1-1a4 4 0 0 1 6.5 6.5l-1 1M12 18.5l-1 1A4 4 0 0 1 4.5 13l1-1"/>`,
  device: svg`<path d="M12 3.5l7 2.8v5.2c0 4.3-2.9 7.3-7 9-4.1-1.7-7-4.7-7-9V6.3zM9 12l2.2 2.2L15.2 10"/>`,
  cloud: svg`<path d="M7.5 18.5h9.3a4.2 4.2 0 0 0 .7-8.3A5.8 5.8 0 0 0 6.3 11a3.8 3.8 0 0 0 1.2 7.5z"/>`,
} satisfies Record<string, SVGTemplateResult>

export function icon(name: keyof typeof SHAPES): TemplateResult {
  return html`<svg
    class="icon ${name}"
    viewBox="0 0 24 24"
    aria-hidden="true"
    focusable="false"
    fill="none"
    stroke="currentColor"
    stroke-width="1.9"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    ${SHAPES[name]}
  </svg>`
}
