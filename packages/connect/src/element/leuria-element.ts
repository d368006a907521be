/** What all elements have in common: the client, the words in the page's language, the look. */
import type { Leuria } from '@leuria/client'
import { chooseWords, textsChanged, type SomeTexts, type Words } from '../texts/text-choice.js'
import { BaseElement, type PropertyKind } from './base-element.js'
import { type Appearance, currentDefaults, defaultsChanged } from './defaults.js'
import { languageOf, onLanguageChanged } from './page-language.js'

export abstract class LeuriaElement extends BaseElement {
  static override readonly properties: Readonly<Record<string, PropertyKind>> = {
    client: 'property',
    texts: 'property',
    appearance: 'text',
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
    this.redraw()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    const redraw = (): void => {
      this.redraw()
    }
    this.#undo = [defaultsChanged.add(redraw), textsChanged.add(redraw), onLanguageChanged(redraw)]
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
