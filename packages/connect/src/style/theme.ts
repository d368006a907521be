/** Colours, type and what every element needs. Pairs used for text keep a contrast of 4.5 to 1 or more in both looks. */
import { css } from './css.js'

const LIGHT = css`
  --card: #fffdfa;
  --sunken: #f4eee5;
  --ink: #2a211b;
  --quiet: #6b5e53;
  --line: #e6dcd0;
  --line-strong: #978773;
  --accent: #a2451d;
  --accent-hover: #8b3813;
  --accent-press: #762d0d;
  --accent-ink: #fff;
  --good: #2f7d4f;
  --attention: #b26a00;
  --hover: #f6f0e7;
  --press: #ece3d6;
  --shadow: 0 1px 2px rgb(60 30 10 / 8%), 0 12px 32px rgb(60 30 10 / 14%);
  --veil: rgb(42 33 27 / 40%);
  color-scheme: light;
`
const DARK = css`
  --card: #26201b;
  --sunken: #1b1613;
  --ink: #f2eae2;
  --quiet: #b8aa9d;
  --line: #40362d;
  --line-strong: #8d7d6c;
  --accent: #f0915f;
  --accent-hover: #f6a97f;
  --accent-press: #fabf9e;
  --accent-ink: #2a1206;
  --good: #7fce9d;
  --attention: #f0bd6a;
  --hover: #322a23;
  --press: #3d342b;
  --shadow: 0 1px 2px rgb(0 0 0 / 30%), 0 12px 32px rgb(0 0 0 / 45%);
  --veil: rgb(0 0 0 / 55%);
  color-scheme: dark;
`

export const THEME = css`
  :host {
    display: inline-block;
    max-width: 100%;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  .root {
    ${LIGHT}
    font: 400 15px/1.45 var(--leuria-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans JP', sans-serif);
    letter-spacing: normal;
    text-transform: none;
    white-space: normal;
  }
  @media (prefers-color-scheme: dark) {
    .root:not(.light) {
      ${DARK}
    }
  }
  .root.dark {
    ${DARK}
  }
  .icon {
    flex: none;
    width: 1.25em;
    height: 1.25em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.9;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .mark {
    stroke-width: 2.8;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .dot {
    flex: none;
    width: 0.6em;
    height: 0.6em;
    border-radius: 50%;
    background: var(--line-strong);
    forced-color-adjust: none;
  }
  .dot.good {
    background: var(--good);
  }
  .dot.attention {
    background: var(--attention);
  }
  /* Words of another direction than the page's: each line in its own direction, at the page's side. */
  p,
  h2,
  h3,
  .words {
    margin: 0;
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    overflow-wrap: anywhere;
  }
  .busy {
    flex: none;
    width: 1.15em;
    height: 1.15em;
    border: 2px solid;
    border-top-color: transparent;
    border-radius: 50%;
    animation: turn 1s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation: none !important;
      transition: none !important;
    }
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
`
