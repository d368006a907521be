/** `<leuria-ai-status>`: one line that says which AI answers on this page. */
import { html, type TemplateResult } from 'lit-html'
import { LeuriaElement } from '../element/leuria-element.js'
import { nameAlone, nameInside, openWith, percentOf } from '../element/provider-name.js'
import { Watched } from '../element/watched.js'
import { AI_STATUS_STYLE } from '../style/ai-status-style.js'
import { THEME } from '../style/theme.js'
import type { Words } from '../texts/text-choice.js'

/**
 * The site's own words: for a provider by its id (`{ bridge: 'Your own AI' }`), and for `none` (nobody answers) and
 * `checking`. Where one is missing the element's own words stand.
 */
export type StatusLabels = Readonly<Record<string, string>>

export class LeuriaAIStatus extends LeuriaElement {
  static override readonly properties = { ...LeuriaElement.properties, labels: 'property' } as const
  static override readonly styles = THEME + AI_STATUS_STYLE

  declare labels: StatusLabels | undefined

  constructor() {
    super()
    new Watched(this, () => this.client)
  }

  protected override draw(): TemplateResult {
    const { words } = this
    const [tone, text] = this.#say(words)
    return html`<div class="root ${this.look}" lang=${words.language} role="status" part="root">
      <span class="dot ${tone}"></span> <span class="text words">${text}</span>
    </div>`
  }

  #say(words: Words): readonly ['good' | 'attention' | '', string] {
    const state = this.client?.getState()
    const { active, providers } = { active: null, providers: [], ...state }
    const label = (name: string): string | undefined => this.labels?.[name]
    if (active !== null) {
      const isOwn = active.model !== undefined && active.locality !== 'site'
      return ['good', label(active.id) ?? (isOwn ? `${words('yourAI')}: ${active.model}` : nameAlone(active, words))]
    }
    const loading = providers.find(({ status }) => status === 'downloading')
    if (loading !== undefined) {
      const values = {
        name: label(loading.id) ?? nameInside(loading, words),
        percent: percentOf(loading.progress, words),
      }
      return ['attention', openWith(words('gettingReady', values), loading, words)]
    }
    const isChecking =
      state === undefined || providers.some(({ status }) => status === 'unknown' || status === 'detecting')
    return isChecking ? ['', label('checking') ?? words('looking')] : ['', label('none') ?? words('noAI')]
  }
}
