/** The question before an order, whoever wants it: only the visitor's own click in here places one. */
import { mugName } from '../shop/catalogue.js'
import { formatCents } from '../shop/money.js'
import type { OrderQuestion, Orders } from '../shop/order.js'
import { element, fill } from './element.js'

export function createOrderView(orders: Orders): HTMLDialogElement {
  const title = element('h2', { attributes: { id: 'order-title' } })
  const intro = element('p', { class: 'order-intro' })
  const list = element('ul', { class: 'order-lines', attributes: { role: 'list' } })
  const total = element('p', { class: 'cart-sum', testId: 'order-total' })
  const decline = element('button', {
    class: 'button button-quiet',
    text: 'Not now',
    testId: 'order-decline',
    attributes: { type: 'button' },
  })
  const confirm = element('button', {
    class: 'button button-main',
    text: 'Place the order',
    testId: 'order-confirm',
    attributes: { type: 'button' },
  })
  const dialog = element(
    'dialog',
    { class: 'order-dialog', testId: 'order-dialog', attributes: { 'aria-labelledby': 'order-title' } },
    title,
    intro,
    list,
    total,
    element('div', { class: 'button-row' }, decline, confirm),
    element('p', { class: 'fine-print', text: 'This is a demo: nothing is sold and nothing is sent.' }),
  )
  const draw = (question: OrderQuestion): void => {
    const isAi = question.askedBy === 'ai'
    title.textContent = isAi ? 'Your AI would like to place this order' : 'Place this order?'
    intro.textContent = isAi ? 'It can only ask. The order is placed if you click, and not otherwise.' : ''
    intro.hidden = !isAi
    fill(
      list,
      ...question.cart.lines.map(({ mug, quantity }) =>
        orderLine(`${quantity} × ${mugName(mug)}`, mug.priceCents * quantity),
      ),
    )
    fill(total, element('span', { text: 'Total' }), element('span', { text: formatCents(question.cart.totalCents) }))
  }
  confirm.addEventListener('click', () => {
    orders.answer(true)
  })
  decline.addEventListener('click', () => {
    orders.answer(false)
  })
  // Escape is a no: an order must never hang on a dialog that nobody sees.
  dialog.addEventListener('cancel', () => {
    orders.answer(false)
  })
  orders.question.subscribe((question) => {
    if (question === null) dialog.close()
    else {
      draw(question)
      if (!dialog.open) dialog.showModal()
    }
  })
  return dialog
}

function orderLine(text: string, cents: number): HTMLElement {
  return element('li', {}, element('span', { text }), element('span', { text: formatCents(cents) }))
}
