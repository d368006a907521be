/** `<leuria-badge>`: tells visitors that they may bring their own AI; a link when it has an `href`. */
import { html, type TemplateResult } from 'lit-html'
import { icon } from '../element/icons.js'
import { LeuriaElement } from '../element/leuria-element.js'
import { BADGE_STYLE } from '../style/badge-style.js'
import { THEME } from '../style/theme.js'

export class LeuriaBadge extends LeuriaElement {
  static override readonly properties = { ...LeuriaElement.properties, href: 'text' } as const
  static override readonly styles = THEME + BADGE_STYLE

  /** Where it leads; without it the badge is no link. */
  declare href: string | undefined

  protected override draw(): TemplateResult {
    const { words } = this
    const inside = html`<span class="sign">${icon('mark')}</span>
      <span class="text words"
        ><slot><span lang=${words.language}>${words('badge')}</span></slot></span
      >`
    const badge =
      this.href === undefined
        ? html`<span class="badge" part="badge">${inside}</span>`
        : html`<a class="badge" part="badge" href=${this.href}>${inside}</a>`
    return html`<div class="root ${this.look}">${badge}</div>`
  }
}
