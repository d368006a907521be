/**
 * How long a regular expression can take at worst, known before it runs.
 * JavaScript's engine backtracks: `(a+)+$` on forty letters would stop the whole process, and both the pattern (the page)
 * and the text (the AI) are other people's. The bound counts every way to walk the pattern, so it is never too low.
 */

/** A part of a pattern. `one` takes a character, `zero` none (`^`, `\b`), `back` repeats an earlier group. */
type Part =
  | { kind: 'one' | 'zero' | 'back' }
  | { kind: 'sequence' | 'choice' | 'look'; parts: readonly Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number }

/** Ways to match from one place, and the steps it takes to try all of them. */
interface Cost {
  ways: number
  steps: number
}

/** Longest pattern that is looked at, in characters; longer ones count as endless. */
const MAX_PATTERN_LENGTH = 1_000

/**
 * The most steps a pattern can take on a text of a given length.
 * `null`: not a regular expression (JSON Schema means Unicode ones, the `u` flag).
 */
export function patternSteps(source: string): ((textLength: number) => number) | null {
  try {
    new RegExp(source, 'u')
  } catch {
    return null
  }
  if (source.length > MAX_PATTERN_LENGTH) return () => Infinity
  const root = new PatternReader(source).readChoice()
  const anchored = startsAnchored(source, root)
  return (textLength) => costOf(root, textLength).steps * (anchored ? 1 : textLength + 1)
}

/** Only a pattern that begins with `^` in every alternative is tried at one place only. */
function startsAnchored(source: string, root: Part): boolean {
  return source.startsWith('^') && !(root.kind === 'choice' && root.parts.length > 1)
}

function costOf(part: Part, textLength: number): Cost {
  switch (part.kind) {
    case 'one':
    case 'zero':
      return { ways: 1, steps: 1 }
    case 'back':
      return { ways: 1, steps: textLength + 1 }
    case 'look':
      return { ways: 1, steps: costOf({ kind: 'choice', parts: part.parts }, textLength).steps + 1 }
    case 'choice':
      return part.parts
        .map((each) => costOf(each, textLength))
        .reduce((sum, each) => ({ ways: sum.ways + each.ways, steps: sum.steps + each.steps }), { ways: 0, steps: 1 })
    case 'sequence':
      return part.parts
        .map((each) => costOf(each, textLength))
        .reduce((sum, each) => ({ ways: sum.ways * each.ways, steps: sum.steps + sum.ways * each.steps }), {
          ways: 1,
          steps: 1,
        })
    case 'repeat':
      return repeatCost(costOf(part.part, textLength), part, textLength)
  }
}

/** Every number of rounds from `min` to as many as the text has characters is one more way. */
function repeatCost(inner: Cost, { min, max }: { min: number; max: number }, textLength: number): Cost {
  const rounds = Math.max(min, Math.min(max, textLength))
  if (inner.ways === 1) return { ways: rounds - min + 1, steps: inner.steps * rounds + 1 }
  const waysOf = (count: number): number => (inner.ways ** (count + 1) - 1) / (inner.ways - 1)
  const ways = waysOf(rounds)
  return Number.isFinite(ways) ? { ways, steps: inner.steps * ways + 1 } : { ways: Infinity, steps: Infinity }
}

/** Reads a pattern that compiles; so it needs no errors of its own. */
class PatternReader {
  #at = 0
  constructor(readonly source: string) {}

  readChoice(): Part {
    const parts = [this.#readSequence()]
    while (this.#take('|')) parts.push(this.#readSequence())
    return { kind: 'choice', parts }
  }

  #readSequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.source.length && !this.#sees('|') && !this.#sees(')')) {
      parts.push(this.#readRepeats(this.#readAtom()))
    }
    return { kind: 'sequence', parts }
  }

  #readAtom(): Part {
    if (this.#take('(')) return this.#readGroup()
    if (this.#take('[')) return this.#skipClass()
    if (this.#take('\\')) return this.#readEscape()
    const kind = this.#sees('^') || this.#sees('$') ? 'zero' : 'one'
    this.#at += 1
    return { kind }
  }

  #readGroup(): Part {
    const look = this.#skip(/\?<?[=!]/y)
    if (!look) this.#skip(/\?(?:<[^>]*>|[a-z-]*:)/y)
    const inner = this.readChoice()
    this.#take(')')
    return look ? { kind: 'look', parts: [inner] } : inner
  }

  #skipClass(): Part {
    this.#skip(/(?:\\[^]|[^\]\\])*\]/y)
    return { kind: 'one' }
  }

  #readEscape(): Part {
    if (this.#skip(/[bB]/y)) return { kind: 'zero' }
    if (this.#skip(/[1-9]\d*|k<[^>]*>/y)) return { kind: 'back' }
    this.#skip(/[pPu]\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|[^]/y)
    return { kind: 'one' }
  }

  #readRepeats(part: Part): Part {
    const match = this.#skip(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (match === null) return part
    const [, sign, least, comma, most] = match
    if (sign !== undefined) return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
    const min = Number(least)
    return { kind: 'repeat', part, min, max: comma === undefined ? min : most === '' ? Infinity : Number(most) }
  }

  #sees(text: string): boolean {
    return this.source.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false
    this.#at += text.length
    return true
  }

  #skip(shape: RegExp): RegExpExecArray | null {
    shape.lastIndex = this.#at
    const match = shape.exec(this.source)
    if (match !== null) this.#at += match[0].length
    return match
  }
}
