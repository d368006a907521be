/** What all elements have in common: the client, the words in the page's language, the look. */
import { LitElement, type PropertyDeclarations } from 'lit'
import type { Leuria } from '@leuria/client'
import { chooseWords, onTextsChanged, type SomeTexts, type Words } from '../texts/text-choice.js'
import { type Appearance, currentDefaults, onDefaultsChanged } from './defaults.js'
import { languageOf, onLanguageChanged } from './page-language.js'

export abstract class LeuriaElement extends LitElement {
  static override properties: PropertyDeclarations = {
    client: { attribute: false, noAccessor: true },
    texts: { attribute: false },
    appearance: {},
  }

  /** Words of this element's own, by key; they go before `setTexts`. */
  declare texts: SomeTexts | undefined
  /** The default look, or the visitor's system's, without it. */
  declare appearance: Appearance | undefined
  #client: Leuria | undefined
  #undo: (() => void)[] = []

  /** The client given to this element, else the default one. */
  get client(): Leuria | undefined {
    return this.#client ?? currentDefaults().client
  }

  set client(client: Leuria | undefined) {
    this.#client = client
    this.requestUpdate()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const redraw = (): void => {
      this.requestUpdate()
    }
    this.#undo = [onDefaultsChanged(redraw), onTextsChanged(redraw), onLanguageChanged(redraw)]
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const undo of this.#undo.splice(0)) undo()
  }

  /** For the innermost root's class: the styles know `light`, `dark` and neither. */
  protected get look(): Appearance | '' {
    const look = this.appearance ?? currentDefaults().appearance
    return look === 'light' || look === 'dark' ? look : ''
  }

  protected get words(): Words {
    return chooseWords(languageOf(this), this.texts)
  }
}
