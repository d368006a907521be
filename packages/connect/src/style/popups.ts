/** What opens over the page: the panel, the menus and the dialogs. */
import { css } from './css.js'

export const POPUPS = css`
  [popover] {
    position: fixed;
    inset: auto;
    margin: 0;
    width: max-content;
    max-width: min(340px, calc(100vw - 16px));
    max-height: calc(100vh - 16px);
    border-radius: 16px;
  }
  [popover],
  dialog {
    padding: 0;
    border: 1px solid var(--line);
    background: var(--card);
    color: var(--ink);
    box-shadow: var(--shadow);
    font-size: 15px;
    overflow: auto;
  }
  .panel {
    display: grid;
    gap: 6px;
    padding: 18px 20px 20px;
  }
  h2 {
    font-size: 1.07em;
    font-weight: 650;
    line-height: 1.3;
  }
  .panel p {
    color: var(--quiet);
  }
  .panel .actions {
    margin-top: 10px;
  }
  .head {
    padding: 14px 18px 12px;
    border-bottom: 1px solid var(--line);
  }
  .small {
    color: var(--quiet);
    font-size: 0.87em;
    font-weight: 500;
  }
  .head strong {
    display: block;
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  [role='menu'] {
    display: grid;
    gap: 2px;
    min-width: 220px;
    padding: 6px;
  }
  .item {
    justify-content: start;
    gap: 12px;
    width: 100%;
    min-height: 44px;
    padding: 8px 12px;
    border-color: transparent;
    border-radius: 10px;
    background: transparent;
    font-weight: 500;
    text-align: start;
  }
  .item:focus-visible {
    background: var(--hover);
    outline-offset: -3px;
  }
  .item .icon {
    color: var(--quiet);
  }
  .about {
    display: grid;
    gap: 1px;
  }
  .note {
    color: var(--quiet);
    font-size: 0.87em;
    font-weight: 400;
  }

  dialog {
    width: min(480px, calc(100vw - 32px));
    max-height: calc(100dvh - 32px);
    margin: auto;
    border-radius: 20px;
  }
  dialog::backdrop {
    background: var(--veil);
  }
  .sheet {
    display: grid;
    gap: 18px;
    padding: 26px 28px 28px;
  }
  .top {
    display: flex;
    align-items: start;
    justify-content: space-between;
    gap: 16px;
  }
  .sign {
    display: grid;
    place-items: center;
    width: 44px;
    height: 44px;
    border-radius: 13px;
    background: var(--accent);
    color: var(--accent-ink);
    font-size: 20px;
  }
  button.round {
    width: 40px;
    min-height: 40px;
    margin: -6px;
    padding: 0;
    border-color: transparent;
    border-radius: 50%;
    background: transparent;
    color: var(--quiet);
  }
  button.round:hover {
    background: var(--hover);
    color: var(--ink);
  }
  .lead {
    display: grid;
    gap: 8px;
  }
  dialog h2 {
    font-size: 1.36em;
    line-height: 1.2;
  }
  .lead p,
  .ways p {
    color: var(--quiet);
  }
  .ways {
    display: grid;
    border: 1px solid var(--line);
    border-radius: 14px;
    overflow: hidden;
  }
  .ways section {
    display: grid;
    gap: 4px;
    padding: 14px 16px;
  }
  .ways section + section {
    border-top: 1px solid var(--line);
  }
  .command {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    margin-top: 8px;
    padding: 4px;
    padding-inline-start: 12px;
    border-radius: 10px;
    background: var(--sunken);
  }
  code {
    flex: 1 0 auto;
    max-width: 100%;
    direction: ltr;
    font:
      0.93em/1.4 ui-monospace,
      'SF Mono',
      Menlo,
      Consolas,
      monospace;
    overflow-wrap: anywhere;
  }
  .command button {
    min-height: 34px;
    margin-inline-start: auto;
    padding: 0 12px;
    border-color: transparent;
    border-radius: 8px;
    background: var(--card);
    font-size: 0.87em;
  }
  .command button:hover {
    background: var(--hover);
  }
  .others {
    display: grid;
    gap: 2px;
    margin-inline: -12px;
    padding-top: 16px;
    border-top: 1px solid var(--line);
  }
  .panel .others {
    margin-top: 16px;
    margin-bottom: -12px;
    padding-top: 14px;
  }
  .others .small {
    padding-inline: 12px;
    margin-bottom: 2px;
  }
  @media (max-width: 480px) {
    .sheet {
      padding: 22px 20px 24px;
    }
    dialog .actions > button,
    dialog .actions > .link {
      flex: 1 1 100%;
    }
  }
  @media (forced-colors: active) {
    [popover],
    dialog {
      border-color: CanvasText;
    }
    .sign {
      border: 1px solid CanvasText;
    }
    .command button,
    button.round {
      border-color: ButtonText;
    }
  }
`
