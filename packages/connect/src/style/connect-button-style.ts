/** The connect button itself: three sizes, five tones, and the line below. */
import { css } from './css.js'

export const CONNECT_BUTTON_STYLE = css`
  .root {
    display: inline-grid;
    justify-items: start;
    gap: 6px;
    grid-template-columns: minmax(0, max-content);
    max-width: 100%;
  }
  .row {
    display: inline-flex;
    max-width: 100%;
  }
  .row button {
    min-width: 0;
  }
  .size-1 .row button {
    min-height: 32px;
    padding: 0 12px;
    border-radius: 9px;
    font-size: 13px;
  }
  .size-3 .row button {
    min-height: 48px;
    padding: 0 22px;
    border-radius: 13px;
    font-size: 16px;
  }
  @media (pointer: coarse) {
    .size-2 .row button {
      min-height: 44px;
    }
  }
  .label {
    overflow: hidden;
    min-width: 0;
    max-width: 22em;
    text-overflow: ellipsis;
    white-space: nowrap;
    line-height: 1.4;
    unicode-bidi: plaintext;
  }
  .row .down {
    width: 1em;
    height: 1em;
    margin-inline-end: -0.2em;
    color: var(--quiet);
  }
  .row .main .down {
    color: inherit;
  }
  .row.split > :first-child {
    border-start-end-radius: 0;
    border-end-end-radius: 0;
  }
  .row.split > .more {
    margin-inline-start: -1px;
    padding: 0 0.75em;
    border-start-start-radius: 0;
    border-end-start-radius: 0;
  }
  .row.split > .more.main {
    margin-inline-start: 1px;
  }
  .row.split > .more .down {
    margin: 0;
  }
  .row button:focus-visible {
    z-index: 1;
  }
  /* On the page's own ground, so in the page's own colour. */
  .byline {
    max-width: 26em;
    padding-inline: 2px;
    color: color-mix(in srgb, currentColor 80%, transparent);
    font-size: 13px;
    line-height: 1.35;
  }
  /* The popup's round corners would show its first letter. */
  .root:has([popover]:popover-open) .byline {
    visibility: hidden;
  }
`
