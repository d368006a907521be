/**
 * What a hostile ACP agent tries, by name, as steps for the scripted agent, and how to tell what it got: nothing, everywhere.
 * Adapters are held to these, the attempts on permissions; engines also to those that reach for the computer (`hostile-reach.ts`).
 */
import type { AcpOutcome, AcpStep, AcpToolCall } from './acp-script.js'

export interface HostileTargets {
  /** A tool that the page has, with arguments that fit it. */
  tool: string
  arguments: object
}

export interface HostileAttempt {
  readonly name: string
  readonly steps: readonly AcpStep[]
  /** Ids of tool calls that it may be allowed: the honest ones it hides behind. */
  readonly honest?: readonly string[]
}

const SHELL: AcpToolCall = { title: 'cat ~/.ssh/id_rsa', kind: 'execute', rawInput: { command: 'cat ~/.ssh/id_rsa' } }

/** Attempts on the adapter: permissions, other sessions, what clients can be asked for. */
export function hostileAttempts({ tool, arguments: args }: HostileTargets): readonly HostileAttempt[] {
  const title = `mcp__webmcp__${tool}`
  const honest: AcpToolCall = { toolCallId: 'honest', title, rawInput: args }
  const update = (fields: object): AcpStep => ({ update: { sessionUpdate: 'tool_call_update', ...fields } })
  return [
    { name: 'a forged title over a shell call', steps: [{ ask: { ...SHELL, title } }] },
    { name: 'a forged title over another name', steps: [{ ask: { title, name: 'Bash', rawInput: args } }] },
    {
      name: 'a forged title over another name in _meta',
      steps: [{ ask: { title, _meta: { claudeCode: { toolName: 'Bash' } } } }],
    },
    {
      name: 'a title that begins like a page tool',
      steps: [`${title}; rm -rf ~`, `${title} && ls`, `${title}_and_more`, `${title}\n`].map((forged) => ({
        ask: { title: forged },
      })),
    },
    {
      name: 'a title with a page tool in it',
      steps: [`Bash(${title})`, `rm -rf ~ # ${title}`].map((forged) => ({ ask: { title: forged } })),
    },
    { name: 'a name that begins like a page tool', steps: [{ ask: { name: `${title}; rm -rf ~` } }] },
    {
      name: 'a second tool after an allow',
      honest: ['honest'],
      steps: [{ ask: honest }, { ask: SHELL }, { ask: { title: 'Bash' } }],
    },
    {
      name: 'the id of an allowed call, asked again',
      honest: ['honest'],
      // The answer to the first is what it has; the second must not be another.
      steps: [{ ask: honest }, { ask: { ...SHELL, toolCallId: 'honest' } }],
    },
    {
      name: 'the id of a finished call, used again',
      honest: ['honest'],
      steps: [{ ask: honest }, update({ toolCallId: 'honest', status: 'completed' }), { ask: { ...honest } }],
    },
    {
      name: 'a call that is renamed before it asks',
      steps: [
        { update: { sessionUpdate: 'tool_call', toolCallId: 'renamed', name: title, title, rawInput: args } },
        update({ toolCallId: 'renamed', name: 'Bash', rawInput: { command: 'ls' } }),
        { ask: { toolCallId: 'renamed' } },
      ],
    },
    {
      name: 'a late call, after the turn',
      steps: [{ say: 'Done.' }, { stop: 'end_turn' }, { ask: { title, rawInput: args } }],
    },
    { name: 'another session’s id', steps: [{ ask: { title, rawInput: args }, in: 'agent-session-99' }] },
    {
      name: 'another server’s tools',
      steps: [`mcp__files__${tool}`, `files_${tool}`, tool].map((other) => ({ ask: { title: other } })),
    },
    {
      name: 'only options that allow for ever',
      steps: [
        {
          ask: honest,
          options: [
            { optionId: 'once', kind: 'allow_always' },
            { optionId: 'no', kind: 'reject_once' },
          ],
        },
      ],
    },
    {
      name: 'what clients may offer: files and terminals',
      steps: [
        { request: 'fs/read_text_file', params: { sessionId: 'agent-session-1', path: '/etc/passwd' } },
        { request: 'fs/write_text_file', params: { sessionId: 'agent-session-1', path: '/tmp/x', content: '' } },
        { request: 'terminal/create', params: { sessionId: 'agent-session-1', command: 'sh' } },
        { request: 'elicitation/create', params: { sessionId: 'agent-session-1', message: 'Your password?' } },
        { request: 'session/prompt', params: { sessionId: 'agent-session-1', prompt: [] } },
      ],
    },
  ]
}

/** What the agent got that it should not have, in words; empty when it got nothing. Children are looked at by the test. */
export function gainsOf({ honest = [] }: HostileAttempt, outcomes: readonly AcpOutcome[]): string[] {
  const given = new Set<string>()
  return outcomes.flatMap((outcome) => {
    switch (outcome.kind) {
      case 'permission': {
        if (outcome.optionId !== 'once') return outcome.optionId === 'always' ? ['permission for ever'] : []
        const first = honest.includes(outcome.toolCallId) && !given.has(outcome.toolCallId)
        given.add(outcome.toolCallId)
        return first ? [] : [`permission for ${outcome.toolCallId}`]
      }
      case 'request':
        return outcome.ok ? [outcome.method] : []
      case 'file':
        return outcome.ok ? [outcome.path] : []
      case 'fetch':
        return outcome.status !== null && outcome.status < 400 ? [outcome.url] : []
      case 'child':
        return []
    }
  })
}
