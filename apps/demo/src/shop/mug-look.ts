/** How a mug looks, as far as its drawing needs to know. */

export const SHAPES = ['straight', 'round', 'tall', 'wide', 'small'] as const
export type Shape = (typeof SHAPES)[number]

export const PATTERNS = ['plain', 'speckled', 'dipped', 'dripped', 'banded', 'rings'] as const
export type Pattern = (typeof PATTERNS)[number]

export interface MugLook {
  readonly shape: Shape
  /** The main glaze, as `#rrggbb`. */
  readonly glaze: string
  /** The second colour: bare clay, drips, bands or flecks. */
  readonly clay: string
  readonly pattern: Pattern
}
