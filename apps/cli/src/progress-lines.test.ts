/** What is shown while something is installed, in a terminal and elsewhere. */
import { describe, expect, it } from 'vitest'
import { progressLines, type ProgressOutput, progressText } from './progress-lines.js'

function output(more: Partial<ProgressOutput>): ProgressOutput & { text: string } {
  return {
    text: '',
    ...more,
    write(text) {
      this.text += text
    },
  }
}

describe('progress', () => {
  it.each([
    [{ message: 'Fetching' }, 'Fetching'],
    [{ message: 'Fetching', receivedBytes: 1_240_000 }, 'Fetching: 1.2 MB'],
    [{ message: 'Fetching', receivedBytes: 0, totalBytes: 80_000_000 }, 'Fetching: 0.0 of 80.0 MB'],
  ])('%j is told as "%s"', (progress, text) => {
    expect(progressText({ stage: 'fetching', ...progress })).toBe(text)
  })

  it('is a line for each step where there is no terminal, however often it is told', () => {
    const out = output({})
    const lines = progressLines(out)
    lines.show({ stage: 'fetching', message: 'Fetching', receivedBytes: 1 })
    lines.show({ stage: 'fetching', message: 'Fetching', receivedBytes: 2 })
    lines.show({ stage: 'checking', message: 'Checking' })
    lines.end()
    expect(out.text).toBe('Fetching\nChecking\n')
  })

  it('is one line that never wraps in a terminal, and leaves nothing behind', () => {
    const out = output({ isTTY: true, columns: 5 })
    const lines = progressLines(out)
    lines.end()
    expect(out.text).toBe('')
    lines.show({ stage: 'fetching', message: 'Fetching' })
    lines.end()
    expect(out.text).toBe('\r\u001b[KFetc\r\u001b[K')
  })
})
