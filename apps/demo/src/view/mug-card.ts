/** One mug on the shelf. */
import { mugName, type Mug } from '../shop/catalogue.js'
import { formatCents } from '../shop/money.js'
import { element } from './element.js'
import { icon } from './icons.js'
import { mugDrawing } from './mug-drawing.js'

/** Fewer than this are worth a word. */
const FEW = 4

export function mugCard(mug: Mug, onAdd: (mug: Mug) => void): HTMLElement {
  const isSoldOut = mug.stock === 0
  const titleId = `mug-${mug.id}-name`
  const add = element(
    'button',
    {
      class: 'button button-quiet',
      testId: 'add-to-cart',
      attributes: { type: 'button', disabled: isSoldOut, 'aria-describedby': titleId },
      on: {
        click: () => {
          onAdd(mug)
        },
      },
    },
    isSoldOut ? null : icon('plus'),
    element('span', { text: isSoldOut ? 'Sold out' : 'Add to cart' }),
  )
  return element(
    'li',
    { class: 'mug-card', testId: 'mug-card', attributes: { 'data-mug': mug.id } },
    element(
      'article',
      { attributes: { 'aria-labelledby': titleId } },
      element(
        'div',
        { class: `mug-tile mug-tile-${mug.colour}` },
        mugDrawing(mug),
        element('span', { class: 'found-mark' }, icon('spark'), element('span', { text: 'Found by your AI' })),
      ),
      element(
        'div',
        { class: 'mug-head' },
        element('h3', { text: mugName(mug), attributes: { id: titleId } }),
        element('p', { class: 'mug-price', text: formatCents(mug.priceCents) }),
      ),
      element('p', { class: 'mug-about', text: mug.about }),
      element('div', { class: 'mug-foot' }, element('p', { class: 'mug-stock', text: stockWords(mug) }), add),
    ),
  )
}

function stockWords({ stock, volumeMl }: Mug): string {
  const volume = `${volumeMl} ml`
  if (stock === 0) return `${volume} · back soon`
  return stock < FEW ? `${volume} · only ${stock} left` : `${volume} · in stock`
}
