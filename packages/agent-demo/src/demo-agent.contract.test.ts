import type { Clock } from '@leuria/clock'
import { agentAdapterContract } from '@leuria/testing'
import { createDemoAgent } from './index.js'

/** Fires at once, or never while held: an AI that has said its first word and then waits. */
function holdingClock(): Clock & { held: boolean } {
  return {
    held: false,
    now: () => 0,
    date: () => new Date('2026-01-01T00:00:00Z'),
    setTimer(_delayMs, fire) {
      if (!this.held) queueMicrotask(fire)
      return () => undefined
    },
  }
}

agentAdapterContract(
  'demo',
  async () => {
    const clock = holdingClock()
    return {
      adapter: createDemoAgent({ clock }),
      play(scene) {
        clock.held = scene === 'talk'
        return { text: scene === 'call_tool' ? 'Find the items with celadon glaze' : 'What is your favourite river?' }
      },
    }
  },
  // It always has something to say at once. Between it and its adapter there is nothing that could break.
  { without: ['silence', 'flood', 'garbage', 'die', 'deaf', 'leave'] },
)
