/** Shows lines in a terminal in place of those it showed before, a few times a second at most. */
import type { CancelTimer, Clock } from '@leuria/clock'
import { createLogUpdate } from 'log-update'

/** Often enough to look alive; a stream of tool calls must not become a stream of screens. */
const REDRAW_MS = 150

export interface StatusScreen {
  /** Something changed: the lines are asked for and shown soon. */
  changed: () => void
  /** Prints above the view, for good. */
  print: (text: string) => void
  /** Shows the last state and leaves it there. */
  end: () => void
}

export interface StatusScreenOptions {
  output: NodeJS.WriteStream
  clock: Clock
  lines: () => string[]
}

export function openStatusScreen({ output, clock, lines }: StatusScreenOptions): StatusScreen {
  const update = createLogUpdate(output, { showCursor: true })
  let cancel: CancelTimer | null = null
  const draw = (): void => {
    cancel?.()
    cancel = null
    // A view taller than the terminal could not be taken back whole.
    update(
      lines()
        .slice(0, Math.max(output.rows - 1, 1))
        .join('\n'),
    )
  }
  const changed = (): void => {
    cancel ??= clock.setTimer(REDRAW_MS, draw)
  }
  output.on('resize', changed)
  draw()
  return {
    changed,
    print(text) {
      update.clear()
      output.write(`${text}\n`)
      draw()
    },
    end() {
      output.off('resize', changed)
      draw()
      update.done()
    },
  }
}
