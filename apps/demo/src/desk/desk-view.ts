/** The order desk on the page: the mail on one side, the form that was made of it on the other. */
import { AbortError, NoProviderError, type Leuria } from '@leuria/client'
import { COLOURS } from '../shop/catalogue.js'
import { element, fill } from '../view/element.js'
import type { OrderForm, OrderLine } from './order-form.js'
import { readMail, type Reading } from './read-mail.js'
import { SAMPLE_MAILS } from './sample-mails.js'

/** Longest mail; a longer one would only cost the AI attention. */
const MAX_MAIL_LENGTH = 4_000

const EMPTY_ORDER: OrderForm = { from: '', email: '', deliverBy: '', giftWrap: false, note: '', mugs: [] }

export function createDesk(client: Leuria): readonly HTMLElement[] {
  const mail = element('textarea', {
    testId: 'mail',
    text: SAMPLE_MAILS[0]?.text ?? '',
    attributes: { id: 'mail', rows: 14, maxlength: MAX_MAIL_LENGTH },
  })
  const read = element('button', {
    class: 'button button-main',
    text: 'Fill in the form',
    testId: 'mail-read',
    attributes: { type: 'submit' },
  })
  const stop = element('button', {
    class: 'button button-quiet',
    text: 'Stop',
    testId: 'mail-stop',
    attributes: { type: 'button', hidden: true },
  })
  const news = element('p', { class: 'desk-news', testId: 'desk-news', attributes: { role: 'status' } })
  const form = orderFields()
  let reading: Reading | null = null

  const begin = async (text: string): Promise<void> => {
    if (reading !== null) return
    const mine = readMail(client, text)
    reading = mine
    show({ isBusy: true, text: 'Your AI is reading the mail …' })
    mine.run.on((event) => {
      if (reading === mine && event.type === 'status' && event.status !== null) news.textContent = event.status
    })
    try {
      const order = await mine.order
      const { text: said } = await mine.run.result()
      if (reading !== mine) return
      form.show(order)
      show({ isBusy: false, text: doneWords(order, said) })
    } catch (error) {
      if (reading !== mine) return
      show({ isBusy: false, text: failWords(error), isFailure: true })
    }
    reading = null
  }
  /** Another mail is seen: what was made, or is being made, of the one before is no longer wanted. */
  const lookAt = (text: string): void => {
    const before = reading
    reading = null
    before?.abort()
    mail.value = text
    form.show(EMPTY_ORDER)
    show({ isBusy: false, text: '' })
  }
  const show = ({ isBusy, text, isFailure = false }: { isBusy: boolean; text: string; isFailure?: boolean }): void => {
    const hadFocus = document.activeElement === stop || document.activeElement === read
    read.hidden = isBusy
    stop.hidden = !isBusy
    news.textContent = text
    news.dataset.failed = String(isFailure)
    form.node.setAttribute('aria-busy', String(isBusy))
    if (hadFocus) (isBusy ? stop : read).focus()
  }
  stop.addEventListener('click', () => {
    reading?.abort()
  })
  const mailForm = element(
    'form',
    { class: 'card desk-mail' },
    element('label', { text: 'The e-mail', attributes: { for: 'mail' } }),
    samples(lookAt),
    mail,
    element('div', { class: 'button-row' }, element('leuria-ai-status'), stop, read),
  )
  mailForm.addEventListener('submit', (event) => {
    event.preventDefault()
    if (mail.value.trim() === '') news.textContent = 'There is no mail to read.'
    else void begin(mail.value)
  })
  return [element('div', { class: 'desk' }, mailForm, element('div', { class: 'desk-result' }, news, form.node))]
}

function doneWords(order: OrderForm, said: string): string {
  const found = order.mugs.reduce((sum, { quantity }) => sum + quantity, 0)
  const count =
    found === 0 ? 'No mugs were found in this mail.' : `An order of ${found} ${found === 1 ? 'mug' : 'mugs'}.`
  return [count, said.trim()].filter((part) => part !== '').join(' ')
}

function failWords(error: unknown): string {
  if (error instanceof AbortError) return 'You stopped it.'
  if (error instanceof NoProviderError) return 'Connect your AI first: the button is at the top of this page.'
  return error instanceof Error ? error.message : 'That did not work.'
}

function samples(onPick: (text: string) => void): HTMLElement {
  return element(
    'div',
    { class: 'suggestions suggestions-row', attributes: { role: 'group', 'aria-label': 'E-mails to try' } },
    ...SAMPLE_MAILS.map(({ name, text }) =>
      element('button', {
        class: 'suggestion',
        text: name,
        testId: 'sample-mail',
        attributes: { type: 'button' },
        on: {
          click: () => {
            onPick(text)
          },
        },
      }),
    ),
  )
}

interface OrderFields {
  readonly node: HTMLElement
  show(order: OrderForm): void
}

/** The visitor has the last word: every field can be changed. */
function orderFields(): OrderFields {
  const from = textField('from', 'From')
  const email = textField('email', 'E-mail', 'email')
  const deliverBy = textField('deliver-by', 'Deliver by', 'date')
  const note = textField('note', 'Note')
  const giftWrap = element('input', {
    testId: 'order-gift-wrap',
    attributes: { type: 'checkbox', id: 'order-gift-wrap' },
  })
  const lines = element('ul', { class: 'order-form-lines', testId: 'order-lines', attributes: { role: 'list' } })
  const noLines = element('p', { class: 'fine-print', text: 'No mugs yet.' })
  const node = element(
    'form',
    { class: 'card order-form', testId: 'order-form', attributes: { 'aria-labelledby': 'order-form-title' } },
    element('h2', { text: 'The order', attributes: { id: 'order-form-title' } }),
    ...[from, email, deliverBy, note].map(({ row }) => row),
    element(
      'label',
      { class: 'check', attributes: { for: 'order-gift-wrap' } },
      giftWrap,
      element('span', { text: 'Gift wrap' }),
    ),
    element('h3', { text: 'Mugs' }),
    noLines,
    lines,
  )
  node.addEventListener('submit', (event) => {
    event.preventDefault()
  })
  return {
    node,
    show(order) {
      from.input.value = order.from
      email.input.value = order.email
      deliverBy.input.value = order.deliverBy
      note.input.value = order.note
      giftWrap.checked = order.giftWrap
      fill(lines, ...order.mugs.map(lineFields))
      noLines.hidden = order.mugs.length > 0
    },
  }
}

function textField(name: string, label: string, type = 'text'): { row: HTMLElement; input: HTMLInputElement } {
  const id = `order-${name}`
  const input = element('input', { testId: id, attributes: { id, type, autocomplete: 'off' } })
  const row = element('div', { class: 'field' }, element('label', { text: label, attributes: { for: id } }), input)
  return { row, input }
}

function lineFields({ quantity, mug, colour }: OrderLine, at: number): HTMLElement {
  const name = `Mug ${at + 1}`
  const amount = element('input', {
    attributes: { type: 'number', min: 1, max: 99, value: quantity, 'aria-label': `${name}: how many` },
  })
  const which = element('input', { attributes: { type: 'text', value: mug, 'aria-label': `${name}: which` } })
  const colours = element(
    'select',
    { attributes: { 'aria-label': `${name}: colour` } },
    element('option', { text: 'any colour', attributes: { value: '' } }),
    ...COLOURS.map((one) => element('option', { text: one, attributes: { value: one, selected: one === colour } })),
  )
  return element('li', { class: 'order-form-line', testId: 'order-line' }, amount, which, colours)
}
