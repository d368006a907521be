/** The badge: a small pill with Leuria's mark. */
import { css } from './css.js'

export const BADGE_STYLE = css`
  .root {
    display: inline-flex;
    max-width: 100%;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    max-width: 100%;
    min-height: 32px;
    padding: 4px;
    padding-inline-end: 14px;
    border: 1px solid var(--line-strong);
    border-radius: 16px;
    background: var(--card);
    color: var(--ink);
    font-size: 13px;
    font-weight: 550;
    line-height: 1.25;
    text-decoration: none;
    transition: background-color 0.15s;
  }
  a.badge:hover {
    background: var(--hover);
  }
  a.badge:hover .text {
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  a.badge:active {
    background: var(--press);
  }
  .sign {
    display: grid;
    flex: none;
    place-items: center;
    width: 22px;
    height: 22px;
    border-radius: 50%;
    background: var(--accent);
    color: var(--accent-ink);
    font-size: 12px;
  }
  @media (forced-colors: active) {
    .sign {
      border: 1px solid currentColor;
    }
  }
`
