/** What the AI of the kit's engine does with a prompt: calls the first tool there is, then repeats what it said. */
import type { FakeAi } from './fake-session.js'

/** Between two words, in milliseconds: a second reader can come in the middle. */
const WORD_MS = 4

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

export const scriptedAi: FakeAi = async ({ prompt, signal, session, say, call }) => {
  const [tool] = session.channel.tools.keys()
  const outcome = tool === undefined || !prompt.includes('log') ? null : await call(tool)
  const text =
    outcome === null ? `You said: ${prompt}` : outcome.ok ? String(outcome.value) : `It failed: ${outcome.error}`
  for (const word of text.split(/(?<= )/)) {
    if (signal.aborted) return
    say(word)
    await pause(WORD_MS, signal)
  }
}
