/** The cart: the button in the page's head and the drawer it opens. */
import { mugName } from '../shop/catalogue.js'
import type { Cart, CartLine, CartState } from '../shop/cart.js'
import { formatCents } from '../shop/money.js'
import { element, fill } from './element.js'
import { icon } from './icons.js'
import { mugDrawing } from './mug-drawing.js'

export interface CartView {
  readonly button: HTMLElement
  readonly drawer: HTMLDialogElement
}

export function createCartView(cart: Cart, onOrder: () => void): CartView {
  const count = element('span', { class: 'cart-count', testId: 'cart-count', attributes: { 'aria-hidden': 'true' } })
  const label = element('span', { class: 'visually-hidden' })
  const lines = element('ul', { class: 'cart-lines', attributes: { role: 'list' } })
  const total = element('output', { class: 'cart-total', testId: 'cart-total' })
  const order = element('button', {
    class: 'button button-main',
    text: 'Place the order',
    testId: 'place-order',
    attributes: { type: 'button' },
  })
  const foot = element(
    'div',
    { class: 'cart-foot' },
    element('p', { class: 'cart-sum' }, element('span', { text: 'Total' }), total),
    order,
    element('p', { class: 'fine-print', text: 'This is a demo: nothing is sold and nothing is sent.' }),
  )
  const empty = element('p', { class: 'cart-empty', text: 'Nothing in here yet. Pick a mug, or let your AI pick one.' })
  const drawer = drawerDialog(element('div', { class: 'cart-body' }, empty, lines), foot)
  const draw = (state: CartState): void => {
    const pieces = state.count === 1 ? '1 mug' : `${state.count} mugs`
    count.textContent = String(state.count)
    count.hidden = state.count === 0
    label.textContent = `Open the cart: ${pieces}`
    fill(lines, ...state.lines.map((line) => cartLine(line, cart)))
    total.textContent = formatCents(state.totalCents)
    empty.hidden = state.count > 0
    foot.hidden = state.count === 0
  }
  cart.subscribe(draw)
  draw(cart.get())
  order.addEventListener('click', () => {
    drawer.close()
    onOrder()
  })
  const button = element(
    'button',
    {
      class: 'head-button',
      testId: 'cart-button',
      attributes: { type: 'button', 'aria-haspopup': 'dialog' },
      on: {
        click: () => {
          drawer.showModal()
        },
      },
    },
    icon('cart'),
    element('span', { class: 'head-button-text', text: 'Cart', attributes: { 'aria-hidden': 'true' } }),
    count,
    label,
  )
  return { button, drawer }
}

function drawerDialog(...content: readonly Node[]): HTMLDialogElement {
  const close = element(
    'button',
    { class: 'icon-button', testId: 'cart-close', attributes: { type: 'button', 'aria-label': 'Close the cart' } },
    icon('close'),
  )
  const dialog = element(
    'dialog',
    { class: 'drawer', testId: 'cart-drawer', attributes: { 'aria-labelledby': 'cart-title' } },
    element(
      'header',
      { class: 'drawer-head' },
      element('h2', { text: 'Your cart', attributes: { id: 'cart-title' } }),
      close,
    ),
    ...content,
  )
  close.addEventListener('click', () => {
    dialog.close()
  })
  // A click beside the drawer lands on the dialog itself.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  return dialog
}

function cartLine({ mug, quantity }: CartLine, cart: Cart): HTMLElement {
  const name = mugName(mug)
  const step = (by: number, label: string): HTMLButtonElement => {
    const button = element(
      'button',
      {
        class: 'icon-button icon-button-small',
        attributes: { type: 'button', 'aria-label': `${label}: ${name}`, disabled: by > 0 && quantity >= mug.stock },
      },
      icon(by > 0 ? 'plus' : 'minus'),
    )
    button.addEventListener('click', () => {
      const drawer = button.closest('dialog')
      cart.setQuantity(mug.id, quantity + by)
      // The line was drawn anew: the focus goes to the same button, or to the drawer's first one.
      const again = drawer?.querySelector<HTMLElement>(`[aria-label="${label}: ${name}"]:not([disabled])`)
      ;(again ?? drawer?.querySelector<HTMLElement>('button'))?.focus()
    })
    return button
  }
  return element(
    'li',
    { class: 'cart-line', testId: 'cart-line', attributes: { 'data-mug': mug.id } },
    element('div', { class: `mug-tile mug-tile-${mug.colour}` }, mugDrawing(mug)),
    element(
      'div',
      { class: 'cart-line-text' },
      element('p', { class: 'cart-line-name', text: name }),
      element('p', { class: 'cart-line-price', text: formatCents(mug.priceCents * quantity) }),
    ),
    element(
      'div',
      { class: 'stepper' },
      step(-1, quantity === 1 ? 'Remove' : 'One less'),
      element('span', {
        class: 'stepper-value',
        text: String(quantity),
        attributes: { 'aria-label': `${quantity} pieces` },
      }),
      step(1, 'One more'),
    ),
  )
}
