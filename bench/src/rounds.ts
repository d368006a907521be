/** Runs two variants of the same work in turn, each round in the other order, so that a drifting machine hurts both alike. */
import { type Spread, spreadOf } from './statistics.js'

/** One variant's figures in one round, by name. */
export type Figures = Readonly<Record<string, number>>

export interface Variants {
  floor: () => Promise<Figures>
  product: () => Promise<Figures>
}

/** A figure of both and their ratio, product to floor, pair by pair. */
export interface Comparison {
  floor: Spread
  product: Spread
  ratio: Spread
}

export async function compare(rounds: number, variants: Variants): Promise<Record<string, Comparison>> {
  const pairs: { floor: Figures; product: Figures }[] = []
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const floor = await variants.floor()
      pairs.push({ floor, product: await variants.product() })
    } else {
      const product = await variants.product()
      pairs.push({ floor: await variants.floor(), product })
    }
  }
  const names = Object.keys(pairs[0]?.floor ?? {})
  return Object.fromEntries(names.map((name) => [name, compareFigure(name, pairs)]))
}

function compareFigure(name: string, pairs: readonly { floor: Figures; product: Figures }[]): Comparison {
  const figure = (of: Figures): number => of[name] ?? Number.NaN
  return {
    floor: spreadOf(pairs.map(({ floor }) => figure(floor))),
    product: spreadOf(pairs.map(({ product }) => figure(product))),
    ratio: spreadOf(pairs.map(({ floor, product }) => figure(product) / figure(floor))),
  }
}
