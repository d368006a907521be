/** Parts a command line that a person typed into a program and its arguments. No shell: nothing is expanded. Pure. */

/** Words are parted by spaces; quotes keep spaces; outside of single quotes a backslash takes the next character as it is. */
const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gsu
const PIECE = /\\.|"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'\\]+/gsu
/** What a shell would do something with; here it would reach the program as a strange argument. */
const SHELL_ONLY = /^(\||\|\||&|&&|;|>|>>|<|2>)$/

export type CommandLine =
  | { readonly ok: true; readonly command: string; readonly args: readonly string[] }
  | { readonly ok: false; readonly message: string }

export function parseCommandLine(line: string): CommandLine {
  // On Windows a backslash parts folders.
  const text = process.platform === 'win32' ? line.replaceAll('\\', '\\\\') : line
  if (text.replace(WORD, '').trim() !== '') return { ok: false, message: 'A quote in the command line is not closed.' }
  const words = text.match(WORD) ?? []
  const shell = words.find((word) => SHELL_ONLY.test(word))
  if (shell !== undefined)
    return { ok: false, message: `"${shell}" needs a shell. Put the command into a script and name that.` }
  const [command, ...args] = words.map(unquote)
  if (command === undefined || command === '') return { ok: false, message: 'The command line is empty.' }
  return { ok: true, command, args }
}

function unquote(word: string): string {
  return word.replace(PIECE, (piece) => {
    if (piece.startsWith('\\')) return piece.slice(1)
    if (piece.startsWith("'")) return piece.slice(1, -1)
    return piece.startsWith('"') ? piece.slice(1, -1).replace(/\\(["\\$`])/g, '$1') : piece
  })
}
