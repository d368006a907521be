/**
 * How much there is in a JSON value: needed to bound work before it is done.
 * One walk, without recursion, so that nothing a page or an AI sends can overflow the stack.
 */

export interface JsonExtent {
  /** Roughly the characters of its JSON text. */
  length: number
  /** Values in it, itself included. */
  nodes: number
  depth: number
  /** Longest text or property name, in UTF-16 units. */
  longestText: number
  /** Most properties or items that one value in it has. */
  widest: number
}

/** Measures a value that came from JSON; stops early, with what it has, once `maxDepth` or `maxLength` is exceeded. */
export function measureJson(value: unknown, limits: { maxDepth: number; maxLength: number }): JsonExtent {
  const extent: JsonExtent = { length: 0, nodes: 0, depth: 0, longestText: 0, widest: 0 }
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    countLeaf(extent, next.value)
    if (typeof next.value !== 'object' || next.value === null) continue
    const depth = next.depth + 1
    extent.depth = Math.max(extent.depth, depth)
    if (depth > limits.maxDepth || extent.length > limits.maxLength) break
    const children: unknown[] = Array.isArray(next.value) ? next.value : Object.values(next.value)
    extent.widest = Math.max(extent.widest, children.length)
    if (!Array.isArray(next.value)) for (const key of Object.keys(next.value)) countText(extent, key)
    for (const child of children) open.push({ value: child, depth })
  }
  return extent
}

function countLeaf(extent: JsonExtent, value: unknown): void {
  extent.nodes += 1
  // A comma, and about what a number, a word or a pair of brackets takes.
  extent.length += 4
  if (typeof value === 'string') countText(extent, value)
}

function countText(extent: JsonExtent, text: string): void {
  extent.length += text.length + 2
  extent.longestText = Math.max(extent.longestText, text.length)
}
