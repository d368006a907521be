/** Pictures to ask about, drawn here: nothing is fetched, and nobody's picture is needed to try the page. */
import { fillFlat, mugShape, type Brush } from './brush.js'

export interface Drawing {
  readonly id: string
  readonly name: string
  /** A question that fits it. */
  readonly question: string
  /** Draws 640 × 480. */
  readonly draw: (brush: Brush) => void
}

export const DRAWINGS: readonly Drawing[] = [
  {
    id: 'shelf',
    name: 'Three mugs on a shelf',
    question: 'Which colours do the mugs have?',
    draw(brush) {
      fillFlat(brush, '#f2e8d8')
      mugShape(brush, { x: 90, y: 190, colour: '#3d6a8c' })
      mugShape(brush, { x: 270, y: 190, colour: '#6f8f63' })
      mugShape(brush, { x: 450, y: 190, colour: '#f7f3ea' })
      brush.fillStyle = '#8a6242'
      brush.fillRect(40, 340, 560, 22)
    },
  },
  {
    id: 'chart',
    name: 'Mugs sold by month',
    question: 'In which month were the most mugs sold?',
    draw(brush) {
      fillFlat(brush, '#fffcf5')
      brush.font = '22px system-ui, sans-serif'
      brush.textAlign = 'center'
      SOLD.forEach(([month, count], at) => {
        const x = 70 + at * 90
        brush.fillStyle = '#a8472a'
        brush.fillRect(x, 400 - count * 8, 56, count * 8)
        brush.fillStyle = '#2a211a'
        brush.fillText(String(count), x + 28, 388 - count * 8)
        brush.fillText(month, x + 28, 434)
      })
    },
  },
  {
    id: 'label',
    name: 'A handwritten label',
    question: 'What does the label say?',
    draw(brush) {
      fillFlat(brush, '#5b4636')
      brush.fillStyle = '#fbf4e4'
      brush.fillRect(100, 110, 440, 260)
      brush.fillStyle = '#2a211a'
      brush.textAlign = 'center'
      brush.font = 'italic 44px Georgia, serif'
      brush.fillText('Harbour mug', 320, 205)
      brush.font = 'italic 30px Georgia, serif'
      brush.fillText('300 ml · € 24', 320, 262)
      brush.fillText('not for the dishwasher', 320, 320)
    },
  },
]

const SOLD: readonly (readonly [month: string, count: number])[] = [
  ['Jul', 14],
  ['Aug', 9],
  ['Sep', 21],
  ['Oct', 26],
  ['Nov', 38],
  ['Dec', 31],
]
