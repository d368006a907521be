/** This AI must work on pages it has never seen: no word of any one page's trade may stand in its source. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const TRADE_WORDS = [
  ...['mug', 'mugs', 'cup', 'cups', 'tea', 'coffee', 'glaze', 'celadon', 'colour', 'color', 'porcelain', 'ceramic'],
  ...['shop', 'store', 'cart', 'basket', 'checkout', 'product', 'products', 'catalog', 'catalogue', 'price', 'prices'],
  ...['order', 'orders', 'buy', 'purchase', 'stock', 'customer', 'tasse', 'warenkorb', 'panier', 'preis', 'prix'],
]

it('knows no word of the demo shop', () => {
  const folder = import.meta.dirname
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/u.test(file))
  expect(files.length).toBeGreaterThan(15)
  for (const file of files) {
    const words = new Set(
      readFileSync(join(folder, file), 'utf8')
        .toLowerCase()
        .split(/[^\p{L}]+/u),
    )
    expect({ file, found: TRADE_WORDS.filter((word) => words.has(word)) }).toEqual({ file, found: [] })
  }
})
