/** Amounts as people read them. */

const EUROS = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })

/** 2400 → "€24.00". */
export function formatCents(cents: number): string {
  return EUROS.format(cents / 100)
}
