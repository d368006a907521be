/** What a server runs. */
import { version } from 'react'
import { renderToString } from 'react-dom/server'
import { page, type SceneName } from './scenes.fixture.js'
import { scriptedClient } from './scripted-ai.fixture.js'

export function render(name: SceneName): { html: string; calls: readonly string[]; version: string } {
  const { ai, client } = scriptedClient({ status: 'needs-action', action: 'connect' })
  return { html: renderToString(page(name, client)), calls: ai.calls, version }
}
