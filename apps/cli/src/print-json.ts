/** A command's answer: words for people, or with `--json` one JSON value for other programs. */

/** Indented, for people who look all the same. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2))
}

/** @param asJson the flag as typed */
export function printAnswer(asJson: boolean | undefined, { value, words }: { value: unknown; words: string }): void {
  if (asJson === true) printJson(value)
  else console.log(words)
}
