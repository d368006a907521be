/** The status line, on the page's own ground. */
import { css } from './css.js'

export const AI_STATUS_STYLE = css`
  .root {
    display: inline-flex;
    align-items: baseline;
    gap: 0.6em;
    max-width: 100%;
    color: inherit;
    font-size: 14px;
  }
  .dot {
    translate: 0 -0.05em;
  }
  .text {
    min-width: 0;
  }
`
