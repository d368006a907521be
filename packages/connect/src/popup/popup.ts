/**
 * One `popover` element of a host, beside the host's row of buttons while it is open. A menu in it gets the focus; when it
 * closes, its button gets the focus that was inside.
 */
import type { BaseElement, ElementPart } from '../element/base-element.js'
import { keepBeside } from './place.js'

export class Popup implements ElementPart {
  readonly #host: BaseElement
  readonly #id: string
  readonly #buttonId: string
  #leave: () => void = () => undefined

  constructor(host: BaseElement, { id, buttonId }: { id: string; buttonId: string }) {
    this.#host = host
    this.#id = id
    this.#buttonId = buttonId
    host.addPart(this)
  }

  get #element(): HTMLElement | null {
    return this.#find(this.#id)
  }

  #find(id: string): HTMLElement | null {
    return this.#host.root.querySelector(`#${id}`)
  }

  get items(): HTMLElement[] {
    return [...(this.#element?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
  }

  open(): void {
    if (this.#element?.matches(':popover-open') === false) this.#element.showPopover()
  }

  close(): void {
    if (this.#element?.matches(':popover-open') === true) this.#element.hidePopover()
  }

  onDisconnected(): void {
    this.#leave()
  }

  readonly onBeforeToggle = (event: ToggleEvent): void => {
    this.#leave()
    if (event.newState !== 'open') {
      // Chromium gives the focus back only where a click opened the popup.
      if (this.#element?.matches(':focus-within') === true) this.#find(this.#buttonId)?.focus()
      return
    }
    // Not shown yet, so without a size: its place is found before the next picture.
    const frame = requestAnimationFrame(() => {
      const [popup, row] = [this.#element, this.#host.root.querySelector<HTMLElement>('.row')]
      if (popup !== null && row !== null) this.#leave = keepBeside(row, popup)
    })
    this.#leave = () => {
      cancelAnimationFrame(frame)
    }
  }

  readonly onToggle = (event: ToggleEvent): void => {
    if (event.newState === 'open' && this.#element?.matches(':focus-within') === false) this.items[0]?.focus()
  }
}
