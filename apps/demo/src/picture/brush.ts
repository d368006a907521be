/** What the drawings are drawn with: the part of a canvas that they use, and two shapes. */
/** Pixels. */
export const DRAWING_SIZE = { width: 640, height: 480 } as const

export type Brush = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textAlign'
  | 'fillRect'
  | 'fillText'
  | 'beginPath'
  | 'ellipse'
  | 'roundRect'
  | 'fill'
  | 'stroke'
>

export function fillFlat(brush: Brush, colour: string): void {
  brush.fillStyle = colour
  brush.fillRect(0, 0, DRAWING_SIZE.width, DRAWING_SIZE.height)
}

export function mugShape(brush: Brush, { x, y, colour }: { x: number; y: number; colour: string }): void {
  brush.strokeStyle = colour
  brush.lineWidth = 14
  brush.beginPath()
  brush.ellipse(x + 106, y + 72, 26, 34, 0, 0, 2 * Math.PI)
  brush.stroke()
  brush.fillStyle = colour
  brush.beginPath()
  brush.roundRect(x, y, 104, 150, [8, 8, 22, 22])
  brush.fill()
  brush.fillStyle = 'rgb(0 0 0 / 18%)'
  brush.beginPath()
  brush.ellipse(x + 52, y + 8, 50, 8, 0, 0, 2 * Math.PI)
  brush.fill()
}
