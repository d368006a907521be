/** Other AIs that the visitor may choose, each with where their questions would go: in a menu, and below what went wrong. */
import { html, nothing, type TemplateResult } from 'lit-html'
import { icon } from '../element/icons.js'
import { nameAlone, noteAbout } from '../element/provider-name.js'
import type { Actions, Scene } from './scene.js'

/** As the items of a menu, or as plain buttons. */
export function alternativeItems(scene: Scene, actions: Actions, role?: 'menuitem'): TemplateResult[] {
  const { words, alternatives } = scene
  return alternatives.map(
    (one) =>
      html`<button
        type="button"
        class="item"
        role=${role ?? nothing}
        tabindex=${role === undefined ? nothing : '-1'}
        @click=${() => actions.choose(one.id)}
      >
        ${icon(one.locality === 'device' ? 'device' : 'cloud')}
        <span class="about">
          <span class="words">${nameAlone(one, words)}</span>
          <span class="note words">${noteAbout(one, words)}</span>
        </span>
      </button>`,
  )
}

/** Below a panel's or a dialog's own actions; nothing where there is no choice. */
export function alternativeSection(scene: Scene, actions: Actions): TemplateResult | typeof nothing {
  if (scene.alternatives.length === 0) return nothing
  return html`<section class="others" aria-labelledby="others-title">
    <h3 class="small" id="others-title">${scene.words('otherAI')}</h3>
    ${alternativeItems(scene, actions)}
  </section>`
}
