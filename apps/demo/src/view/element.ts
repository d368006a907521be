/** Builds DOM nodes without a template language: no markup from text, so nothing a page or an AI says can become markup. */

type Child = Node | string | null | undefined | false

export interface ElementOptions {
  class?: string
  text?: string
  /** `data-testid`: what tests hold on to. */
  testId?: string
  attributes?: Readonly<Record<string, string | number | boolean | undefined>>
  on?: { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void }
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  options: ElementOptions = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  if (options.class !== undefined) node.className = options.class
  if (options.text !== undefined) node.textContent = options.text
  if (options.testId !== undefined) node.dataset.testid = options.testId
  setAttributes(node, options.attributes ?? {})
  for (const [type, listener] of Object.entries(options.on ?? {})) {
    // The table's type pairs each name with its own event; entries lose that.
    node.addEventListener(type, listener as EventListener)
  }
  append(node, children)
  return node
}

export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly Child[]
): SVGElement {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag)
  setAttributes(node, attributes)
  append(node, children)
  return node
}

/** `true` sets an empty attribute; `false` and `undefined` set none. */
export function setAttributes(
  node: Element,
  attributes: Readonly<Record<string, string | number | boolean | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) node.removeAttribute(name)
    else node.setAttribute(name, value === true ? '' : String(value))
  }
}

/** Replaces what a node holds. */
export function fill(node: Element, ...children: readonly Child[]): void {
  node.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false))
}

function append(node: Element, children: readonly Child[]): void {
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false))
}
