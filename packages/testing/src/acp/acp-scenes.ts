/** The adapter contract's scenes as a scripted ACP agent plays them. */
import { type AdapterScene, FLOOD, GARBAGE } from '../agent-adapter-contract.js'
import type { AcpStep } from './acp-script.js'

const NONSENSE: readonly string[] = [
  `${GARBAGE}\n`,
  `"${GARBAGE}"\n[1,"${GARBAGE}"]\n{"${GARBAGE}":\n`,
  `{"jsonrpc":"2.0","method":"${GARBAGE}","params":{"text":"${GARBAGE}"}}\n`,
  `{"jsonrpc":"2.0","id":"${GARBAGE}","result":{"stopReason":"${GARBAGE}"}}\n`,
  `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${GARBAGE}","update":"${GARBAGE}"}}\n`,
]

export const ACP_SCENES: Readonly<Record<AdapterScene, readonly AcpStep[]>> = {
  answer: [{ say: 'Hello' }, { say: ' there.' }],
  call_tool: [{ call: 'find_items', arguments: { query: 'blue mug' } }, { say: 'Found {{result}}' }],
  silence: [{ wait: 'cancel' }],
  talk: [{ say: 'I think' }, { wait: 'cancel' }],
  flood: [{ repeat: FLOOD.count, steps: [{ say: FLOOD.text }] }],
  garbage: [
    { say: 'Hello' },
    ...NONSENSE.map((raw) => ({ raw })),
    { update: { sessionUpdate: GARBAGE, content: { type: 'text', text: GARBAGE } } },
    { update: { sessionUpdate: 'agent_message_chunk', content: { type: GARBAGE, text: [GARBAGE] } } },
    { say: ' there.' },
  ],
  die: [{ say: 'I think' }, { exit: 1 }],
  deaf: [{ say: 'I think' }, { wait: 'ever' }],
  leave: [{ say: 'Bye' }, { stop: 'end_turn' }, { exit: 0 }],
}
