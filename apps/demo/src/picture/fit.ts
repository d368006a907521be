/** How large a picture is sent: an AI sees no more in a larger one, and it would only take longer. Pure. */

export interface Size {
  readonly width: number
  readonly height: number
}

/** Longest side, in pixels: what models look at, as a rule. */
export const MAX_SIDE = 1_024

/** The same shape within the longest side; never larger than it was, never less than a pixel. */
export function fitSize({ width, height }: Size, maxSide = MAX_SIDE): Size {
  const scale = Math.min(1, maxSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
