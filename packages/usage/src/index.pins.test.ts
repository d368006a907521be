import { expect, it } from 'vitest'
import * as entry from './index.js'

it('exports exactly these values', () => {
  expect(Object.keys(entry).sort()).toEqual(['SESSION_WAIT_S', 'USAGE_KEEP_DAYS', 'USAGE_WRITE_DELAY_MS', 'openUsage'])
})

it('keeps to these numbers', () => {
  expect([entry.SESSION_WAIT_S, entry.USAGE_KEEP_DAYS, entry.USAGE_WRITE_DELAY_MS]).toEqual([10, 31, 5_000])
})
