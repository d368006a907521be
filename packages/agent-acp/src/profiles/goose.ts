/** Goose in its ACP mode. */
import type { AgentProfile } from '../agent-profile.js'

export const goose: AgentProfile = {
  name: 'Goose',
  agentIds: ['goose'],
  // By its documentation of modes; not driven: no package registry has the program.
  checkedVersions: [],
  switchesOff:
    'Acting unasked: it asks before every tool, and only the page’s are allowed. Its extensions stay, so it needs a sandbox.',
  launch: ({ maxTurns }) => ({
    env: { GOOSE_MODE: 'approve', ...(maxTurns !== undefined && { GOOSE_MAX_TURNS: String(maxTurns) }) },
  }),
  systemPrompt: 'prefix',
  maxTurns: 'profile',
  ownTools: [],
  sharesProcess: false,
  signIn: [{ home: '.config/goose' }],
}
