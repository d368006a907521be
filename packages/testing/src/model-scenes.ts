/** The adapter contract's scenes as a scripted model plays them: answers for the requests to come. */
import { type AdapterScene, FLOOD, GARBAGE } from './agent-adapter-contract.js'
import type { ModelStep } from './model-script.js'

/** A model has no program that could leave. */
export const MODEL_SCENES: Readonly<Record<Exclude<AdapterScene, 'leave'>, readonly (readonly ModelStep[])[]>> = {
  answer: [[{ say: ['Hello', ' there.'] }]],
  call_tool: [[{ call: { name: 'find_items', arguments: { query: 'blue mug' } } }], [{ say: 'A Celadon mug.' }]],
  silence: [[{ stall: true }]],
  talk: [[{ say: 'I think' }, { stall: true }]],
  flood: [[{ say: Array.from({ length: FLOOD.count }, () => FLOOD.text) }]],
  garbage: [
    [
      { say: 'Hello' },
      {
        raw: `data: {"choices":[{"delta":{"content":["${GARBAGE}"}}\n\ndata: "${GARBAGE}"\n\n: ${GARBAGE}\n\n${GARBAGE}\n\n`,
      },
      { raw: `event: ${GARBAGE}\ndata: ["${GARBAGE}"]\n\ndata: {"choices":"${GARBAGE}"}\n\n\u0000\u0007\n\n` },
      { say: ' there.' },
    ],
  ],
  die: [[{ say: 'I think' }, { drop: true }]],
  deaf: [[{ say: 'I think' }, { stall: true }]],
}
