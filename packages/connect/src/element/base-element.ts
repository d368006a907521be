/**
 * A custom element that draws itself with lit-html when something it shows has changed: attributes, properties, and what its
 * parts watch. The little of Lit's own element class that three elements need: with it the standalone file would be too large.
 */
import { render, type TemplateResult } from 'lit-html'

/** Something that lives along with an element. */
export interface ElementPart {
  onConnected?(): void
  /** Before each drawing. */
  onDraw?(): void
  onDisconnected?(): void
}

/** What a property is told by: an attribute's text, whether an attribute is there, or nothing in the markup. */
export type PropertyKind = 'text' | 'flag' | 'property'

/** On a server there is nothing to extend, and nothing is made there. */
const ServerSafeElement = typeof HTMLElement === 'undefined' ? (class {} as typeof HTMLElement) : HTMLElement

const attributeOf = (property: string): string => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** By class. */
const sheets = new WeakMap<object, CSSStyleSheet>()

export abstract class BaseElement extends ServerSafeElement {
  /** By property name; an attribute has the same name with hyphens. */
  static readonly properties: Readonly<Record<string, PropertyKind>> = {}
  static readonly styles: string = ''

  readonly #parts: ElementPart[] = []
  readonly #early: [string, unknown][] = []
  #isQueued = false
  #root: ShadowRoot | undefined

  static get observedAttributes(): string[] {
    return Object.keys(this.properties).flatMap((name) =>
      this.properties[name] === 'property' ? [] : attributeOf(name),
    )
  }

  constructor() {
    super()
    for (const name of Object.keys(this.#kinds)) {
      // What was set before the element was known to the browser waits for the fields of the classes above.
      if (Object.hasOwn(this, name)) this.#early.push([name, Reflect.get(this, name)])
      Reflect.deleteProperty(this, name)
      if (name in this) continue
      let value: unknown
      const set = (next: unknown): void => {
        value = next
        this.redraw()
      }
      Object.defineProperty(this, name, { configurable: true, enumerable: true, get: () => value, set })
    }
  }

  get #kinds(): Readonly<Record<string, PropertyKind>> {
    return (this.constructor as typeof BaseElement).properties
  }

  /** Where the element is drawn. */
  get root(): ShadowRoot {
    return (this.#root ??= this.#makeRoot())
  }

  addPart(part: ElementPart): void {
    this.#parts.push(part)
  }

  connectedCallback(): void {
    for (const [name, value] of this.#early.splice(0)) Reflect.set(this, name, value)
    for (const part of this.#parts) part.onConnected?.()
    this.redraw()
  }

  disconnectedCallback(): void {
    for (const part of this.#parts) part.onDisconnected?.()
  }

  attributeChangedCallback(attribute: string, _: string | null, text: string | null): void {
    const name = Object.keys(this.#kinds).find((each) => attributeOf(each) === attribute) ?? attribute
    Reflect.set(this, name, this.#kinds[name] === 'flag' ? text !== null : (text ?? undefined))
  }

  /** Soon, and once, however often it is asked for. */
  redraw(): void {
    if (this.#isQueued) return
    this.#isQueued = true
    queueMicrotask(() => {
      this.#isQueued = false
      if (!this.isConnected) return
      for (const part of this.#parts) part.onDraw?.()
      this.beforeDraw()
      render(this.draw(), this.root)
      this.afterDraw()
    })
  }

  protected abstract draw(): TemplateResult
  protected beforeDraw(): void {}
  protected afterDraw(): void {}

  #makeRoot(): ShadowRoot {
    const element = this.constructor as typeof BaseElement
    let sheet = sheets.get(element)
    if (sheet === undefined) {
      sheet = new CSSStyleSheet()
      sheet.replaceSync(element.styles)
      sheets.set(element, sheet)
    }
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet]
    return root
  }
}
