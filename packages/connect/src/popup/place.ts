/** Where a popup goes: below its button, above where there is no room, never outside the window. */

/** Between the popup and its button, in CSS pixels: it covers the line below the button. */
const GAP = 6
/** Between the popup and the window's edges. */
const MARGIN = 8

export interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export interface PlaceOptions {
  readonly width: number
  readonly height: number
  readonly window: { readonly width: number; readonly height: number }
  /** The popup's side that is flush with the button's. */
  readonly isRtl: boolean
}

/** Viewport coordinates of the popup's upper left corner. Pure. */
export function place(anchor: Box, { width, height, window, isRtl }: PlaceOptions): { top: number; left: number } {
  const below = anchor.bottom + GAP
  const above = anchor.top - GAP - height
  const fitsBelow = below + height <= window.height - MARGIN
  const start = isRtl ? anchor.right - width : anchor.left
  return {
    top: clamp(fitsBelow || above < MARGIN ? below : above, window.height - height - MARGIN),
    left: clamp(start, window.width - width - MARGIN),
  }
}

function clamp(value: number, most: number): number {
  return Math.max(MARGIN, Math.min(value, most))
}

/** Puts the popup beside its button and keeps it there while the page moves. Returns its undo. */
export function keepBeside(anchor: HTMLElement, popup: HTMLElement): () => void {
  const move = (): void => {
    const { width, height } = popup.getBoundingClientRect()
    const isRtl = getComputedStyle(anchor).direction === 'rtl'
    const { clientWidth, clientHeight } = document.documentElement
    const size = { width: clientWidth, height: clientHeight }
    const { top, left } = place(anchor.getBoundingClientRect(), { width, height, window: size, isRtl })
    popup.style.top = `${top}px`
    popup.style.left = `${left}px`
  }
  const stop = new AbortController()
  const listening = { signal: stop.signal, passive: true, capture: true }
  addEventListener('scroll', move, listening)
  addEventListener('resize', move, listening)
  const sizes = new ResizeObserver(move)
  sizes.observe(popup)
  sizes.observe(anchor)
  move()
  return () => {
    stop.abort()
    sizes.disconnect()
  }
}
