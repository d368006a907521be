/** The panel under the button: what to do while Leuria asks, and what became of the question. */
import { html, type TemplateResult } from 'lit-html'
import { refusalOf } from './button-view.js'
import { alternativeSection } from './alternatives.js'
import type { Actions, Scene } from './scene.js'

export function waitingPanel({ words }: Scene, actions: Actions): TemplateResult {
  return html`<div class="panel">
    <h2 id="panel-title">${words('waitingTitle')}</h2>
    <p>${words('waitingText')}</p>
    <div class="actions">
      <button type="button" @click=${actions.cancel}>${words('cancel')}</button>
    </div>
  </div>`
}

export function refusalPanel(scene: Scene, actions: Actions): TemplateResult {
  const { words, error } = scene
  const { text, seconds } = refusalOf(error)
  return html`<div class="panel">
    <h2 id="panel-title">${words('declinedTitle')}</h2>
    <p>${words(text, { seconds })}</p>
    <div class="actions">
      <button type="button" class="main" @click=${actions.retry}>${words('tryAgain')}</button>
    </div>
    ${alternativeSection(scene, actions)}
  </div>`
}
