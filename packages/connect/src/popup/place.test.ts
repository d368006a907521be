import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { place } from './place.js'

const window = { width: 800, height: 600 }
const at = (left: number, top: number) => ({ left, top, right: left + 120, bottom: top + 40 })
const popup = { width: 300, height: 200, window, isRtl: false }

describe('a popup', () => {
  it('stands below its button, flush with its start', () => {
    expect(place(at(100, 100), popup)).toEqual({ left: 100, top: 146 })
    expect(place(at(400, 100), { ...popup, isRtl: true })).toEqual({ left: 220, top: 146 })
  })

  it('goes above where there is no room below', () => {
    expect(place(at(100, 500), popup)).toEqual({ left: 100, top: 294 })
  })

  it('takes the room there is when there is room nowhere', () => {
    expect(place(at(100, 100), { ...popup, height: 580 }).top).toBe(12)
    expect(place(at(100, 100), { ...popup, height: 900 }).top).toBe(8)
  })

  it('stays inside the window, wherever the button is', () => {
    const corner = fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -900, max: 900 }))
    fc.assert(
      fc.property(corner, fc.integer({ min: 1, max: 584 }), fc.boolean(), ([x, y], side, isRtl) => {
        const { left, top } = place(at(x, y), { width: side, height: side, window, isRtl })
        expect(left >= 8 && left + side <= 792 && top >= 8 && top + side <= 592).toBe(true)
      }),
    )
  })
})
