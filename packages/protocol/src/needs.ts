/**
 * What a site says it needs from an AI: guidance for the visitor's choice, never a permission (Pairing, Needs).
 * A closed vocabulary: unknown keys and values are dropped, never refused.
 */

export const EFFORTS = ['light', 'standard', 'deep'] as const
export type Effort = (typeof EFFORTS)[number]

/** A type, not an interface, so that it fits where any object of JSON is taken. */
export type Needs = {
  tools?: true
  images?: true
  effort?: Effort
  /** Tokens of context. */
  context?: number
}

/** Largest context a site can ask for, in tokens: more than any model has, small enough to print. */
const MAX_CONTEXT = 10_000_000

function isFlag(value: unknown): boolean {
  return value === true || value === '1' || value === 'true'
}

function readEffort(value: unknown): Effort | undefined {
  return EFFORTS.find((effort) => effort === value)
}

function readContext(value: unknown): number | undefined {
  const tokens = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof tokens !== 'number' || !Number.isFinite(tokens) || tokens <= 0) return undefined
  return Math.max(1, Math.min(MAX_CONTEXT, Math.round(tokens)))
}

/** Reads needs from a body's object or a link's parameters. `undefined`: nothing of it was understood. */
export function parseNeeds(value: unknown): Needs | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { tools, images, effort, context }: Record<string, unknown> = { ...value }
  const needs: Needs = {}
  if (isFlag(tools)) needs.tools = true
  if (isFlag(images)) needs.images = true
  const knownEffort = readEffort(effort)
  if (knownEffort !== undefined) needs.effort = knownEffort
  const knownContext = readContext(context)
  if (knownContext !== undefined) needs.context = knownContext
  return Object.keys(needs).length > 0 ? needs : undefined
}
