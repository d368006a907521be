/**
 * What a hostile agent tries past its adapter, by name: on the engine that it can reach, on the visitor's files, on its own end.
 * For whole engines with a boxed agent; what it got is told by `gainsOf`, except of children, whom the test looks for.
 */
import type { AcpStep } from './acp-script.js'
import type { HostileAttempt } from './hostile-acp-agent.js'

export interface ReachTargets {
  /** The visitor's home. */
  home: string
  /** Files in it, secrets all. */
  files: readonly string[]
  /** The engine's grants. */
  grants: string
  /** A site's question that the visitor has not answered. `nonce`: as if the site were in league with the agent. */
  question: { requestId: string; origin: string; nonce: string }
  /** A session of another site: its id and its page's registration token. */
  other: { sessionId: string; origin: string; registrationToken: string; tool: string }
  /** For the command lines of the children. */
  mark: string
}

export function hostileReach(targets: ReachTargets): readonly HostileAttempt[] {
  return [
    { name: 'reading the home folder', steps: readingHome(targets) },
    { name: 'writing a grant', steps: writingGrants(targets) },
    { name: 'approving a site', steps: approvingSite(targets) },
    { name: 'the admin API', steps: ADMIN_CALLS },
    { name: 'another session’s tools', steps: otherSession(targets) },
    { name: 'keeping a child alive', steps: children(targets) },
  ]
}

function readingHome({ home, files, grants }: ReachTargets): AcpStep[] {
  const paths = [...files, grants]
  return [
    { listFolder: home },
    ...[...paths, ...paths.map((path) => `/proc/self/root${path}`)].map((readFile) => ({ readFile })),
    // The first process of the machine, and this one's parent, wherever it lives.
    { listFolder: `/proc/1/root${home}` },
    { listFolder: `/proc/1/cwd/../../../../../../../..${home}` },
  ]
}

function writingGrants({ home, grants, question }: ReachTargets): AcpStep[] {
  const grant = { origin: question.origin, tokenHash: '0'.repeat(64), createdAt: '2026-01-01T00:00:00Z' }
  return [
    { writeFile: grants, text: JSON.stringify({ version: 1, grants: [grant] }) },
    { writeFile: `${home}/.bashrc`, text: 'true' },
  ]
}

const SELF = { origin: '{{engine}}' }

function approvingSite({ question: { requestId, origin, nonce } }: ReachTargets): AcpStep[] {
  const decide = (path: string, headers: Record<string, string>, key?: string): AcpStep => ({
    fetch: `{{engine}}${path}`,
    method: 'POST',
    headers,
    body: JSON.stringify({ allow: true, requestId, nonce, ...(key === undefined ? {} : { key }) }),
  })
  const path = `/connect/${requestId}/decide`
  const claim = (named: string, body: object): AcpStep => ({
    fetch: '{{engine}}/connect/claim',
    method: 'POST',
    headers: { origin: named },
    body: JSON.stringify({ app: 'Shop', ...body }),
    // A claim is answered when the visitor has decided.
    limitMs: 500,
  })
  return [
    decide('/connect/decide', {}),
    decide('/connect/decide', SELF),
    ...[{}, SELF, { origin }, { origin: 'null' }, { ...SELF, 'sec-fetch-site': 'same-origin' }].flatMap((headers) => [
      decide(path, headers),
      decide(path, headers, ''),
      decide(path, headers, nonce),
      decide(path, headers, '{{token}}'),
    ]),
    claim('{{engine}}', { nonce }),
    claim(origin, {}),
    claim(origin, { nonce }),
  ]
}

const ADMIN_CALLERS: readonly Record<string, string>[] = [
  {},
  SELF,
  { origin: 'tauri://localhost' },
  { authorization: 'Bearer {{token}}' },
]

const ADMIN_CALLS: readonly AcpStep[] = [
  ['/admin/sites', undefined],
  ['/admin/status', undefined],
  ['/admin/agent', '{"id":"demo"}'],
  ['/admin/pairing/link', '{"origin":"https://evil.example","nonce":"nnnnnnnnnnnnnnnnnnnnnn"}'],
  ['/admin/pairing/decide', '{"origin":"https://evil.example","allow":true}'],
].flatMap(([path = '', body]) =>
  ADMIN_CALLERS.map((headers) => ({
    fetch: `{{engine}}${path}`,
    method: body === undefined ? 'GET' : 'POST',
    headers,
    body,
  })),
)

function otherSession({ other: { sessionId, origin, registrationToken, tool } }: ReachTargets): AcpStep[] {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } }
  const mcp = (token: string, more: Record<string, string> = {}): AcpStep => ({
    fetch: '{{engine}}/webmcp/mcp',
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', authorization: `Bearer ${token}`, ...more },
    body: JSON.stringify(call),
  })
  const drive = (action: string, headers: Record<string, string>): AcpStep => ({
    fetch: `{{engine}}/session/${sessionId}/${action}`,
    method: 'POST',
    headers,
    body: '{"prompt":"hi"}',
  })
  return [
    // Its own channel knows no such tool, whether it asks or just calls.
    { ask: { title: `mcp__webmcp__${tool}`, rawInput: {} } },
    { call: tool, silent: true },
    { ask: { title: `mcp__webmcp__${tool}`, rawInput: {} }, in: 'agent-session-2' },
    { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'boo' } }, in: 'agent-session-2' },
    ...['', sessionId, registrationToken, `${sessionId}.{{token}}`].map((token) => mcp(token)),
    mcp('{{token}}x'),
    mcp('{{token}}', { origin }),
    ...['prompt', 'approve', 'close'].flatMap((action) => [drive(action, {}), drive(action, { origin })]),
    { fetch: `{{engine}}/session/${sessionId}` },
    { fetch: `{{engine}}/session/${sessionId}/stream` },
  ]
}

function children({ mark }: ReachTargets): AcpStep[] {
  return [
    { child: 'same_group', mark },
    { child: 'detached', mark },
  ]
}
