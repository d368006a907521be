/** One thing that `leuria doctor` looked at. */

export interface Finding {
  /** What was looked at, for people: "Node.js". */
  readonly name: string
  readonly ok: boolean
  /** How it is, as a sentence. */
  readonly detail: string
  /** What to do about it. Absent where all is well. */
  readonly fix?: string
}

export function good(name: string, detail: string): Finding {
  return { name, ok: true, detail }
}

export function bad(name: string, detail: string, fix: string): Finding {
  return { name, ok: false, detail, fix }
}

/** What went wrong while looking is a finding too: the other ones are still of use. */
export async function looking(
  name: string,
  look: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await look()].flat()
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return [bad(name, detail, 'Mend what it says, then run leuria doctor again.')]
  }
}
