/** Buttons, wherever they stand. */
import { css } from './css.js'

export const CONTROLS = css`
  button,
  .link {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.55em;
    min-height: 40px;
    margin: 0;
    padding: 0 16px;
    border: 1px solid var(--line-strong);
    border-radius: 11px;
    background: var(--card);
    color: var(--ink);
    font: inherit;
    font-weight: 600;
    line-height: 1.2;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition:
      background-color 0.15s,
      border-color 0.15s;
  }
  button:hover,
  .link:hover {
    background: var(--hover);
  }
  button:active,
  .link:active {
    background: var(--press);
  }
  button.main {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--accent-ink);
  }
  button.main:hover {
    border-color: var(--accent-hover);
    background: var(--accent-hover);
  }
  button.main:active {
    border-color: var(--accent-press);
    background: var(--accent-press);
  }
  button[aria-disabled='true'] {
    background: var(--card);
    color: var(--quiet);
    cursor: default;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  @media (forced-colors: active) {
    button.main {
      border-width: 2px;
    }
    button[aria-disabled='true'] {
      border-color: GrayText;
      color: GrayText;
    }
  }
`
