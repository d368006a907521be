/** Shows what a long command is busy with: one line that changes in a terminal, a line for each step elsewhere. */
import type { InstallProgress } from '@leuria/agent-registry'

/** Where it is shown: the error output, since standard output is for the answer. */
export interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressLines {
  show(progress: InstallProgress): void
  /** Takes the changing line away. */
  end(): void
}

/** Start of the line, and clear from there to its end (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001b[K'
const MEGABYTE = 1_000_000

/** `fetching … 3.4 of 80.0 MB` */
export function progressText({ message, receivedBytes, totalBytes }: InstallProgress): string {
  if (receivedBytes === undefined) return message
  const received = (receivedBytes / MEGABYTE).toFixed(1)
  return `${message}: ${received}${totalBytes === undefined ? '' : ` of ${(totalBytes / MEGABYTE).toFixed(1)}`} MB`
}

export function progressLines(output: ProgressOutput): ProgressLines {
  let last = ''
  if (output.isTTY !== true)
    return {
      // Bytes would make a line a moment; each step is said once.
      show: ({ message }) => {
        if (message !== last) output.write(`${message}\n`)
        last = message
      },
      end: () => undefined,
    }
  return {
    show: (progress) => {
      last = progressText(progress)
      // A line that wraps could not be taken back.
      output.write(CLEAR_LINE + last.slice(0, Math.max((output.columns ?? 80) - 1, 1)))
    },
    end: () => {
      if (last !== '') output.write(CLEAR_LINE)
    },
  }
}
