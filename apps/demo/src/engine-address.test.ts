import { expect, it } from 'vitest'
import { engineAddress } from './engine-address.js'

it.each([
  ['', '', 'http://127.0.0.1:19570'],
  ['', 'http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['?engine=http%3A%2F%2Flocalhost%3A5000', 'http://127.0.0.1:4000', 'http://localhost:5000'],
  ['?engine=', ' ', 'http://127.0.0.1:19570'],
])('takes the page’s own address first, then the server’s, then the default: %s %s', (search, configured, expected) => {
  expect(engineAddress({ search, configured })).toBe(expected)
})
