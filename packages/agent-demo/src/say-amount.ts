/** Money as money, only where the page itself names the currency: `{ amount: 24, currency: "EUR" }`. Nothing is guessed. */

const AMOUNT_KEYS = ['amount', 'value', 'total']

/** "€24.00" for an object that is an amount of money and nothing else, else `undefined`. */
export function amountText(value: Readonly<Record<string, unknown>>): string | undefined {
  const { currency } = value
  const keys = Object.keys(value)
  const amountKey = AMOUNT_KEYS.find((key) => typeof value[key] === 'number')
  if (amountKey === undefined || keys.length !== 2 || typeof currency !== 'string' || !/^[A-Z]{3}$/u.test(currency)) {
    return undefined
  }
  const amount = value[amountKey]
  if (typeof amount !== 'number') return undefined
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
  } catch {
    return `${amount} ${currency}`
  }
}
