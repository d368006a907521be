/** What each known agent is started with and told. A red line here means: was that deliberate? */
import { describe, expect, it } from 'vitest'
import { AGENT_PROFILES, findProfile, isChecked, unknownAgent } from './index.js'

it('every agent has its profile', () => {
  expect(AGENT_PROFILES.map(({ agentIds, checkedVersions }) => [agentIds[0], checkedVersions])).toEqual([
    ['claude-acp', ['0.16.2', '0.101.0']],
    ['codex-acp', []],
    ['gemini', ['0.61.0']],
    ['github-copilot-cli', ['1.0.102']],
    ['opencode', ['1.18.33']],
    ['qwen-code', []],
    ['grok-cli', []],
    ['goose', []],
  ])
  expect(findProfile('claude-code-acp').name).toBe('Claude Code')
  expect(findProfile('somebody-else')).toBe(unknownAgent)
})

it('a version is checked when it is one of them, or a later part of one', () => {
  const profile = { ...unknownAgent, checkedVersions: ['0.16', '2.0.1'] }
  const checked = ['0.16', '0.16.2', '2.0.1', '0.160', '0.17.0', '2.0.10', '2.0', ''].filter((version) =>
    isChecked(profile, version),
  )
  expect(checked).toEqual(['0.16', '0.16.2', '2.0.1'])
  expect(isChecked(profile, undefined)).toBe(false)
})

describe.each(AGENT_PROFILES.map((profile) => [profile.name, profile] as const))('%s', (_, profile) => {
  it('says what it switches off, and keeps no harmful tool', () => {
    expect(profile.switchesOff).toMatch(/\.$/)
    for (const name of [...profile.ownTools, ...(profile.wrappers ?? [])])
      expect(name).not.toMatch(/bash|shell|write_file|edit|fetch|web|exec|read_file/i)
  })

  it('is started without secrets and with files of its own folder only', () => {
    const { args = [], env = {}, files = {} } = profile.launch?.({ systemPrompt: 'Sell "mugs".', maxTurns: 3 }) ?? {}
    expect(args.every((arg) => arg.startsWith('--'))).toBe(true)
    // Where its private folder is, is a secret of this start alone.
    const given = Object.keys(env).filter((name) => env[name] !== '{private}')
    expect(given.join(' ')).not.toMatch(/KEY|TOKEN|SECRET|PASSWORD/)
    for (const path of Object.keys(files)) expect(path).toMatch(/^[a-z]+(\/\.?[a-z-]+)*\/[a-z.-]+$/)
    for (const { home } of profile.signIn) expect(home).toMatch(/^\.[\w./-]+$/)
  })
})

it('Claude: none of its tools, no settings of the visitor’s', () => {
  const claude = findProfile('claude-acp')
  expect(claude.sessionMeta?.({ systemPrompt: 'Sell mugs.', maxTurns: 3 })).toMatchObject({
    disableBuiltInTools: true,
    systemPrompt: 'Sell mugs.',
    claudeCode: { options: { tools: [], settingSources: [], strictMcpConfig: true, maxTurns: 3 } },
  })
  expect(claude.sessionMeta?.({})).not.toHaveProperty('systemPrompt')
  expect(claude.launch?.({}).env).toMatchObject({ CLAUDE_CONFIG_DIR: '{private}/claude' })
})

it('Codex: a configuration that a system prompt cannot break out of', () => {
  const config = findProfile('codex-acp').launch?.({ systemPrompt: 'a"\nweb_search = "live"\n[x]' }).files?.[
    'codex/config.toml'
  ]
  expect(config?.split('\n').slice(0, 4)).toEqual([
    'developer_instructions = "a\\"\\nweb_search = \\"live\\"\\n[x]"',
    'sandbox_mode = "read-only"',
    'approval_policy = "on-request"',
    'web_search = "disabled"',
  ])
})

it('Grok: a profile with no tool of its own, named before its command for ACP', () => {
  expect(findProfile('grok-cli').launch?.({})).toEqual({
    args: ['--agent-profile={private}/grok/agent.md'],
    before: 'stdio',
    files: { 'grok/agent.md': expect.stringContaining('\ntools: search_tool, use_tool\n') as unknown },
  })
})

it('Qwen: keeps no memory, for which its helper has a shell', () => {
  const [settings = ''] = Object.values(findProfile('qwen-code').launch?.({}).files ?? {})
  expect(JSON.parse(settings)).toMatchObject({
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  })
})

it('Gemini and Qwen: tools excluded by name, the system prompt in a file', () => {
  for (const id of ['gemini', 'qwen-code']) {
    const { files = {}, env = {} } = findProfile(id).launch?.({ systemPrompt: 'Sell mugs.' }) ?? {}
    const [[, settings] = ['', ''], [path, prompt] = ['', '']] = Object.entries(files)
    expect(JSON.parse(settings)).toMatchObject({
      tools: { exclude: expect.arrayContaining(['run_shell_command', 'read_file']) as unknown },
    })
    expect(prompt).toBe('Sell mugs.')
    expect(Object.values(env)).toContain(`{private}/${path}`)
    expect(Object.keys(findProfile(id).launch?.({}).files ?? {})).toHaveLength(1)
  }
})
