/** The two menus: of a connected site, and of the other AIs. */
import { html, nothing, type TemplateResult } from 'lit-html'
import { icon } from '../element/icons.js'
import { alternativeItems } from './alternatives.js'
import type { Actions, Scene } from './scene.js'

export function connectedMenu({ words, name, canManage }: Scene, actions: Actions): TemplateResult {
  return html`<div class="head" id="menu-title">
      <span class="small words">${words('yourAI')}</span>
      <strong>${name}</strong>
    </div>
    <div role="menu" aria-labelledby="menu-title">
      ${canManage ? item('manage', words('manage'), actions.manage) : nothing}
      ${item('leave', words('disconnect'), actions.disconnect)}
    </div>`
}

export function othersMenu(scene: Scene, actions: Actions): TemplateResult {
  return html`<div role="menu" aria-label=${scene.words('otherAI')}>
    ${alternativeItems(scene, actions, 'menuitem')}
  </div>`
}

function item(sign: 'manage' | 'leave', text: string, act: () => void): TemplateResult {
  return html`<button type="button" class="item" role="menuitem" tabindex="-1" @click=${act}>
    ${icon(sign)} <span class="words">${text}</span>
  </button>`
}
