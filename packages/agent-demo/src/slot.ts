/**
 * The places to fill in a tool's arguments: the leaves of its schema, each with its path, and the way back from values
 * by slot to one arguments object. Decides nothing about which words go where.
 */
import type { ObjectShape, Shape } from './schema-shape.js'
import { nameWords } from './words.js'

export type LeafShape = Exclude<Shape, ObjectShape>

export interface Slot {
  /** Property names from the outside in. */
  readonly path: readonly string[]
  /** Words of the property's own name. */
  readonly words: readonly string[]
  /** Words of the objects around it: "address" for `address.city`. */
  readonly around: readonly string[]
  readonly shape: LeafShape
  /** Must be filled whatever else is. */
  readonly isRequired: boolean
}

/** Values by slot; a slot that isn't in it is unfilled. */
export type Values = Map<Slot, unknown>

export interface Assembled {
  readonly arguments: Record<string, unknown>
  /** Required slots without a value, those inside optional objects that got other values included. */
  readonly missing: readonly Slot[]
}

/** Every leaf of the schema, in its own sequence. */
export function readSlots(shape: ObjectShape): Slot[] {
  return collect(shape, { path: [], words: [], around: [], isRequired: true })
}

function collect(shape: ObjectShape, outer: Omit<Slot, 'shape'>): Slot[] {
  return shape.properties.flatMap((property) => {
    const inner = {
      path: [...outer.path, property.name],
      words: nameWords(property.name),
      around: [...outer.words, ...outer.around],
      isRequired: outer.isRequired && property.isRequired,
    }
    return property.shape.kind === 'object' ? collect(property.shape, inner) : [{ ...inner, shape: property.shape }]
  })
}

/** Puts values where they belong. Optional objects without any value are left out. */
export function assemble(shape: ObjectShape, slots: readonly Slot[], values: Values): Assembled {
  const missing: Slot[] = []
  const build = (at: ObjectShape, path: readonly string[], isWanted: boolean): Record<string, unknown> | undefined => {
    const inside = slots.filter((slot) => path.every((key, depth) => slot.path[depth] === key))
    if (!isWanted && !inside.some((slot) => values.has(slot))) return undefined
    const entries = at.properties.flatMap((property): [string, unknown][] => {
      const here = [...path, property.name]
      if (property.shape.kind === 'object') {
        const value = build(property.shape, here, property.isRequired)
        return value === undefined ? [] : [[property.name, value]]
      }
      const slot = inside.find((one) => one.path.length === here.length && one.path.at(-1) === property.name)
      if (slot !== undefined && values.has(slot)) return [[property.name, values.get(slot)]]
      if (slot !== undefined && property.isRequired) missing.push(slot)
      return []
    })
    // fromEntries makes own properties of every name, `__proto__` included.
    return Object.fromEntries(entries)
  }
  return { arguments: build(shape, [], true) ?? {}, missing }
}
