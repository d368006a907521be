/** The approval page's look, light and dark, and its icon. Served as files of their own. */

export const APPROVAL_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#b4532a"/><path d="M10 8v13a3 3 0 0 0 3 3h9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/><circle cx="21" cy="12" r="3.4" fill="#ffd9b8"/></svg>`

export const APPROVAL_STYLE = `:root {
  color-scheme: light dark;
  --ground: #f6f2ec; --card: #fffdfa; --ink: #2a211b; --quiet: #75685d; --line: #e6dcd0;
  --accent: #a2451d; --accent-ink: #fff; --warn: #fff1d6; --warn-ink: #6b4300; --can: #2f7d4f; --cannot: #8a7d72;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #191512; --card: #221d19; --ink: #f2eae2; --quiet: #ab9d91; --line: #3a322b;
    --accent: #f0915f; --accent-ink: #2a1206; --warn: #3a2c10; --warn-ink: #ffd995; --can: #7fce9d; --cannot: #a89a8e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px;
  background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main {
  width: 100%; max-width: 560px; padding: 32px; background: var(--card);
  border: 1px solid var(--line); border-radius: 20px; box-shadow: 0 12px 40px rgb(60 30 10 / 0.08);
}
.brand { display: flex; align-items: center; gap: 10px; margin: 0 0 24px; font-weight: 600; color: var(--quiet); }
h1 { margin: 0 0 16px; font-size: 1.4rem; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; }
h2 { margin: 0 0 8px; font-size: 0.8rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--quiet); }
.site {
  margin: 0; padding: 14px 18px; border: 1px solid var(--line); border-radius: 14px; background: var(--ground);
  font-size: 1.65rem; line-height: 1.3; overflow-wrap: anywhere;
}
.quiet { color: var(--quiet); font-weight: 400; font-size: 0.7em; }
.app { margin: 10px 0 0; overflow-wrap: anywhere; }
.note { margin: 10px 0 0; color: var(--quiet); font-size: 0.875rem; overflow-wrap: anywhere; }
.warning { margin: 16px 0 0; padding: 12px 16px; border-radius: 12px; background: var(--warn); color: var(--warn-ink); font-size: 0.94rem; }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; margin: 24px 0; }
ul { margin: 0; padding: 0; list-style: none; display: grid; gap: 8px; font-size: 0.94rem; }
li { position: relative; padding-left: 24px; }
li::before { position: absolute; left: 0; font-weight: 700; }
.can li::before { content: "✓"; content: "✓" / ""; color: var(--can); }
.cannot li::before { content: "✕"; content: "✕" / ""; color: var(--cannot); }
.ai { margin: 0; padding-top: 16px; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.actions { display: flex; gap: 12px; margin-top: 24px; }
button {
  flex: 1; min-height: 48px; padding: 10px 20px; border-radius: 12px; border: 1px solid var(--line);
  background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer;
}
button.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
button:hover { filter: brightness(1.06); }
button:disabled { opacity: 0.6; cursor: default; }
button[hidden] { display: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.outcome:not(:empty) { margin: 20px 0 0; padding: 14px 16px; border-radius: 12px; background: var(--ground); border: 1px solid var(--line); font-weight: 600; }
code { font: 0.9em ui-monospace, "Cascadia Mono", Menlo, monospace; }
@media (max-width: 520px) {
  body { padding: 0; place-items: stretch; }
  main { border: 0; border-radius: 0; padding: 24px 20px; box-shadow: none; min-height: 100vh; }
  .columns { grid-template-columns: 1fr; gap: 20px; }
  .actions { flex-direction: column; }
}
@media (prefers-reduced-motion: no-preference) { button { transition: filter 120ms ease; } }
`
