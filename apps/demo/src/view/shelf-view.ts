/** The shelf: search, filters, and the mugs that pass them. */
import { CATALOGUE, COLOURS, type Colour, type Mug } from '../shop/catalogue.js'
import { searchMugs } from '../shop/search-mugs.js'
import { createStore } from '../store.js'
import { element, fill, setAttributes } from './element.js'
import { icon } from './icons.js'
import { mugCard } from './mug-card.js'

type Sorting = 'shelf' | 'price_up' | 'price_down'

interface ShelfState {
  query: string
  colour: Colour | 'any'
  onlyInStock: boolean
  sorting: Sorting
  /** What the AI found last; marked until the visitor searches again. */
  found: readonly Mug[]
}

export interface Shelf {
  readonly node: HTMLElement
  /** Marks mugs that the AI found. */
  showFound(mugs: readonly Mug[]): void
}

const SORTINGS: readonly [Sorting, string][] = [
  ['shelf', 'Shelf order'],
  ['price_up', 'Price, low to high'],
  ['price_down', 'Price, high to low'],
]

export function createShelf(onAdd: (mug: Mug) => void): Shelf {
  const state = createStore<ShelfState>({
    ...{ query: '', colour: 'any', onlyInStock: false, sorting: 'shelf', found: [] },
  })
  const change = (part: Partial<ShelfState>): void => {
    state.set({ ...state.get(), ...part })
  }
  const cards = new Map(CATALOGUE.map((mug) => [mug, mugCard(mug, onAdd)]))
  const count = element('p', { class: 'shelf-count', testId: 'shelf-count', attributes: { role: 'status' } })
  const grid = element('ul', { class: 'shelf-grid', testId: 'shelf', attributes: { role: 'list' } })
  const draw = (): void => {
    const { found } = state.get()
    const { mugs, isExact } = sorted(state.get())
    count.textContent = found.length > 0 ? foundWords(found.length) : countWords(mugs.length, isExact)
    fill(grid, ...mugs.map((mug) => cards.get(mug)))
    for (const [mug, card] of cards) setAttributes(card, { 'data-found': found.includes(mug) })
  }
  state.subscribe(draw)
  draw()
  const node = element(
    'section',
    { class: 'shelf', attributes: { 'aria-labelledby': 'shelf-title' } },
    element('h2', { class: 'visually-hidden', text: 'All mugs', attributes: { id: 'shelf-title' } }),
    toolbar(change),
    count,
    grid,
  )
  return {
    node,
    showFound(mugs) {
      // All of them is no find.
      change({ found: mugs.length === CATALOGUE.length ? [] : mugs })
    },
  }
}

/** What the AI found stands first: it must not have to be looked for. */
function sorted({ query, colour, onlyInStock, sorting, found }: ShelfState): {
  mugs: readonly Mug[]
  isExact: boolean
} {
  const search = searchMugs({ query, onlyInStock, ...(colour === 'any' ? {} : { colour }) })
  const sign = { shelf: 0, price_up: 1, price_down: -1 }[sorting]
  const mugs = [...search.mugs].sort((a, b) => sign * (a.priceCents - b.priceCents))
  const rest = mugs.filter((mug) => !found.includes(mug))
  return { ...search, mugs: [...found.filter((mug) => mugs.includes(mug)), ...rest] }
}

function foundWords(count: number): string {
  return count === 1 ? 'Your AI found 1 mug; it stands first.' : `Your AI found ${count} mugs; they stand first.`
}

function countWords(count: number, isExact: boolean): string {
  if (count === 0) return 'No mug fits. Try fewer words or another colour.'
  const mugs = count === 1 ? '1 mug' : `${count} mugs`
  return isExact ? mugs : `Nothing fits all of that. Closest: ${mugs}`
}

function toolbar(change: (part: Partial<ShelfState>) => void): HTMLElement {
  const search = element('input', {
    testId: 'shelf-search',
    attributes: { type: 'search', id: 'shelf-search', placeholder: 'Search mugs', autocomplete: 'off', maxlength: 80 },
  })
  search.addEventListener('input', () => {
    change({ query: search.value, found: [] })
  })
  const inStock = element('input', { attributes: { type: 'checkbox', id: 'in-stock' } })
  inStock.addEventListener('change', () => {
    change({ onlyInStock: inStock.checked })
  })
  const sorting = element(
    'select',
    { attributes: { id: 'sorting', 'aria-label': 'Sort by' } },
    ...SORTINGS.map(([value, text]) => element('option', { text, attributes: { value } })),
  )
  sorting.addEventListener('change', () => {
    change({ sorting: SORTINGS[sorting.selectedIndex]?.[0] ?? 'shelf' })
  })
  return element(
    'div',
    { class: 'toolbar', attributes: { role: 'search', 'aria-label': 'Mugs' } },
    element(
      'div',
      { class: 'search-field' },
      icon('search'),
      element('label', { class: 'visually-hidden', text: 'Search mugs', attributes: { for: 'shelf-search' } }),
      search,
    ),
    element(
      'div',
      { class: 'toolbar-end' },
      element(
        'label',
        { class: 'check', attributes: { for: 'in-stock' } },
        inStock,
        element('span', { text: 'In stock' }),
      ),
      sorting,
    ),
    colourChoice((colour) => {
      change({ colour, found: [] })
    }),
  )
}

function colourChoice(choose: (colour: Colour | 'any') => void): HTMLElement {
  const choices = (['any', ...COLOURS] as const).map((colour) => {
    const input = element('input', {
      attributes: { type: 'radio', name: 'colour', value: colour, id: `colour-${colour}`, checked: colour === 'any' },
    })
    input.addEventListener('change', () => {
      choose(colour)
    })
    const name = colour === 'any' ? 'All' : colour.charAt(0).toUpperCase() + colour.slice(1)
    return element(
      'label',
      { class: `swatch swatch-${colour}`, attributes: { for: `colour-${colour}` } },
      input,
      colour === 'any' ? null : element('span', { class: 'swatch-dot' }),
      element('span', { text: name }),
    )
  })
  return element(
    'fieldset',
    { class: 'swatches' },
    element('legend', { class: 'visually-hidden', text: 'Colour' }),
    ...choices,
  )
}
