/** What the shop sells. Plain data; drawing, searching and selling are others' business. */
import type { MugLook } from './mug-look.js'

/** What people call a glaze when they don't know its name. */
export const COLOURS = ['blue', 'green', 'white', 'brown', 'yellow', 'red', 'grey'] as const
export type Colour = (typeof COLOURS)[number]

export interface Mug {
  readonly id: string
  readonly name: string
  readonly colour: Colour
  /** One sentence for the card; also searched. */
  readonly about: string
  readonly priceCents: number
  readonly volumeMl: number
  readonly stock: number
  readonly look: MugLook
}

export const CATALOGUE: readonly Mug[] = [
  {
    id: 'harbour',
    name: 'Harbour',
    colour: 'blue',
    about: 'Deep sea blue over raw clay, with a rim the colour of wet sand.',
    priceCents: 2400,
    volumeMl: 330,
    stock: 8,
    look: { shape: 'straight', glaze: '#2f5d8c', clay: '#c9a27a', pattern: 'dipped' },
  },
  {
    id: 'celadon',
    name: 'Celadon',
    colour: 'green',
    about: 'A quiet grey green that pools darker in every throwing line.',
    priceCents: 2600,
    volumeMl: 300,
    stock: 3,
    look: { shape: 'round', glaze: '#9dbfa8', clay: '#7fa48c', pattern: 'rings' },
  },
  {
    id: 'midnight',
    name: 'Midnight',
    colour: 'blue',
    about: 'Near black until the light catches it, then full of small stars.',
    priceCents: 3200,
    volumeMl: 350,
    stock: 4,
    look: { shape: 'tall', glaze: '#26324f', clay: '#e7d9b8', pattern: 'speckled' },
  },
  {
    id: 'oat',
    name: 'Oat',
    colour: 'white',
    about: 'Warm white with iron flecks. Goes with any table and most mornings.',
    priceCents: 2200,
    volumeMl: 320,
    stock: 14,
    look: { shape: 'straight', glaze: '#f0e6d2', clay: '#8c6a4a', pattern: 'speckled' },
  },
  {
    id: 'terracotta',
    name: 'Kitchen Garden',
    colour: 'red',
    about: 'Bare red terracotta outside, clear glaze inside. Gets better with age.',
    priceCents: 1900,
    volumeMl: 280,
    stock: 10,
    look: { shape: 'round', glaze: '#c4694a', clay: '#a85234', pattern: 'plain' },
  },
  {
    id: 'driftwood',
    name: 'Driftwood',
    colour: 'brown',
    about: 'A tenmoku brown that breaks to honey wherever the glaze runs thin.',
    priceCents: 2800,
    volumeMl: 340,
    stock: 5,
    look: { shape: 'straight', glaze: '#6b4630', clay: '#c98d4f', pattern: 'dripped' },
  },
  {
    id: 'lemon',
    name: 'Lemon Grove',
    colour: 'yellow',
    about: 'Sun yellow with a white band, for people who are slow to wake.',
    priceCents: 2300,
    volumeMl: 300,
    stock: 0,
    look: { shape: 'wide', glaze: '#e3b23c', clay: '#f7efdc', pattern: 'banded' },
  },
  {
    id: 'fog',
    name: 'Fog',
    colour: 'grey',
    about: 'Soft grey that fades from the rim down, like a shore in the morning.',
    priceCents: 2500,
    volumeMl: 330,
    stock: 7,
    look: { shape: 'tall', glaze: '#a7abad', clay: '#e4e2dd', pattern: 'dipped' },
  },
  {
    id: 'lighthouse',
    name: 'Lighthouse',
    colour: 'red',
    about: 'Two broad red bands on cream. The one that visitors always pick.',
    priceCents: 2700,
    volumeMl: 360,
    stock: 6,
    look: { shape: 'tall', glaze: '#f3ead9', clay: '#b8402f', pattern: 'banded' },
  },
  {
    id: 'fern',
    name: 'Fern',
    colour: 'green',
    about: 'Forest green poured over white, so each one runs its own way.',
    priceCents: 2900,
    volumeMl: 310,
    stock: 2,
    look: { shape: 'wide', glaze: '#3f6b4a', clay: '#eee7d6', pattern: 'dripped' },
  },
  {
    id: 'tidepool',
    name: 'Tidepool',
    colour: 'blue',
    about: 'Pale blue with brushed rings, wide enough for soup.',
    priceCents: 3000,
    volumeMl: 450,
    stock: 9,
    look: { shape: 'wide', glaze: '#8db8c9', clay: '#5b8fa6', pattern: 'rings' },
  },
  {
    id: 'snowdrop',
    name: 'Snowdrop',
    colour: 'white',
    about: 'Thin white porcelain, a small one for espresso and strong opinions.',
    priceCents: 2100,
    volumeMl: 120,
    stock: 12,
    look: { shape: 'small', glaze: '#fbf8f1', clay: '#d9d2c3', pattern: 'plain' },
  },
]

/** The mug with an id, or `undefined`. */
export function findMug(id: string): Mug | undefined {
  return CATALOGUE.find((mug) => mug.id === id)
}

/** What a mug is called in a sentence. */
export const mugName = (mug: Mug): string => `${mug.name} mug`
