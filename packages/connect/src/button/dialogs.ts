/** The two dialogs: how to start Leuria on this computer, and that it takes a computer. */
import { html, nothing, type TemplateResult } from 'lit-html'
import { icon } from '../element/icons.js'
import { alternativeSection } from './alternatives.js'
import type { Actions, Scene } from './scene.js'

export function startDialog(scene: Scene, actions: Actions): TemplateResult {
  const { words, command, isCopied } = scene
  return html`${top('mark', words('close'))}
    <div class="lead">
      <h2 id="dialog-title">${words('startTitle')}</h2>
      <p id="dialog-text">${words('startText')}</p>
    </div>
    <div class="ways">
      <section>
        <p>${words('haveText')}</p>
      </section>
      <section>
        <p>${words('newText')}</p>
        <div class="command">
          <code lang="en" dir="ltr">${command}</code>
          <button type="button" @click=${actions.copyCommand}>${words(isCopied ? 'copied' : 'copy')}</button>
        </div>
      </section>
    </div>
    <div class="actions">
      <button type="button" class="main" autofocus @click=${actions.retry}>${words('tryAgain')}</button>
      ${installLink(scene)}
    </div>
    ${alternativeSection(scene, actions)}`
}

export function phoneDialog(scene: Scene, actions: Actions): TemplateResult {
  const { words, isCopied } = scene
  return html`${top('computer', words('close'))}
    <div class="lead">
      <h2 id="dialog-title">${words('phoneTitle')}</h2>
      <p id="dialog-text">${words('phoneText')}</p>
    </div>
    <div class="actions">
      <button type="button" class="main" autofocus @click=${actions.share}>
        ${words(isCopied ? 'copied' : 'share')}
      </button>
    </div>
    ${alternativeSection(scene, actions)}`
}

/** The form closes the dialog without a script. */
function top(sign: 'mark' | 'computer', close: string): TemplateResult {
  return html`<form method="dialog" class="top">
    <span class="sign">${icon(sign)}</span>
    <button class="round" aria-label=${close}>${icon('close')}</button>
  </form>`
}

function installLink({ words, installHref }: Scene): TemplateResult | typeof nothing {
  if (installHref === undefined) return nothing
  return html`<a class="link" href=${installHref} target="_blank" rel="noopener">${words('getLeuria')}</a>`
}
