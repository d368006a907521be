/** What the page of a browser test runs: `window.react` mounts scenes with the React it was bundled with. */
import { createElement, StrictMode, type ReactNode, version } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { outside, page, type SceneName, seen } from './scenes.fixture.js'
import { scriptedClient } from './scripted-ai.fixture.js'

let root: Root | undefined

const find = (): HTMLElement => document.getElementById('root') ?? document.body
const wrap = (node: ReactNode, isStrict: boolean) => (isStrict ? createElement(StrictMode, null, node) : node)

function make(state: object) {
  const made = scriptedClient(state)
  Object.assign(globalThis, made)
  return made.client
}

const react = {
  version,
  seen,
  mount(name: SceneName, { strict = false, ...state }: { strict?: boolean }): void {
    root = createRoot(find())
    root.render(wrap(page(name, make(state)), strict))
  },
  mountOutside(): void {
    root = createRoot(find())
    root.render(outside())
  },
  hydrate(name: SceneName, { strict = false, ...state }: { strict?: boolean }): void {
    root = hydrateRoot(find(), wrap(page(name, make(state)), strict))
  },
  unmount(): void {
    root?.unmount()
  },
}
Object.assign(globalThis, { react })
