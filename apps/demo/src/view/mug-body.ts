/** The measures of a mug's body, which its drawing and its glaze share. */
/** The outline of a mug's body, in the drawing's units (200 × 180). */
export interface MugBody {
  readonly centre: number
  readonly top: number
  readonly bottom: number
  /** Half the width at the rim. */
  readonly rim: number
  /** Half the width at the foot. */
  readonly foot: number
  /** How far the wall swells outwards. */
  readonly belly: number
}
