/** The adapter contract's scenes as a scripted model plays them: answers for the requests to come. */
import type { AdapterScene } from './agent-adapter-contract.js'
import type { ModelStep } from './model-script.js'

export const MODEL_SCENES: Readonly<Record<AdapterScene, readonly (readonly ModelStep[])[]>> = {
  answer: [[{ say: ['Hello', ' there.'] }]],
  call_tool: [[{ call: { name: 'find_items', arguments: { query: 'blue mug' } } }], [{ say: 'A Celadon mug.' }]],
  silence: [[{ stall: true }]],
  talk: [[{ say: 'I think' }, { stall: true }]],
}
