/** The few signs of the elements, drawn in the text's colour; the words beside them say it all. */
import { html, type TemplateResult } from 'lit-html'

/** What one pen draws, 24 by 24. */
const SHAPES = {
  /** Leuria's mark. */
  mark: 'M7.5 4.5v11.2a3.3 3.3 0 0 0 3.3 3.3h7.7M15.5 8a1 1 0 1 0 2 0 1 1 0 0 0-2 0',
  down: 'M6.5 9.5 12 15l5.5-5.5',
  close: 'M6 6l12 12M18 6 6 18',
  computer: 'M5 16.5v-10h14v10M2.5 19.5h19',
  manage:
    'M4 8h9.4M19 8h1M4 16h1M11 16h9M13.4 8a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 0-5.2 0M5.4 16a2.6 2.6 0 1 0 5.2 0 2.6 2.6 0 1 0-5.2 0',
  leave:
    'M9.5 14.5l-2.7 2.7M17.2 6.8l-2.7 2.7M8 8 5 5M19 19l-3-3M12 5.5l1-1a4 4 0 0 1 6.5 6.5l-1 1M12 18.5l-1 1A4 4 0 0 1 4.5 13l1-1',
  device: 'M12 3.5l7 2.8v5.2c0 4.3-2.9 7.3-7 9-4.1-1.7-7-4.7-7-9V6.3zM9 12l2.2 2.2L15.2 10',
  cloud: 'M7.5 18.5h9.3a4.2 4.2 0 0 0 .7-8.3A5.8 5.8 0 0 0 6.3 11a3.8 3.8 0 0 0 1.2 7.5z',
}

export function icon(name: keyof typeof SHAPES): TemplateResult {
  return html`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true"><path d=${SHAPES[name]} /></svg>`
}
