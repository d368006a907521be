/**
 * Real agents of other makers, as data: where each is had, pinned, how it is pointed at the scripted models, and what it
 * would do on the computer if it could. `real-agent.ts` installs and starts them.
 */

/** How one agent is had and pointed at the scripted models. */
export interface Recipe {
  readonly id: string
  readonly name: string
  readonly version: string
  /** In npm. */
  readonly package: string
  /** Its package is a maker's archive for 64-bit Linux with the program in it, and installed as such: nothing in it is run to install it. */
  readonly archive?: { readonly sha256: string; readonly cmd: string }
  readonly args?: (modelUrl: string) => readonly string[]
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>
  /** A file of settings, shown to its box read-only; `{settings}` in `env` is its path. */
  readonly settings?: (modelUrl: string) => object
  readonly authMethod?: string
  /** Calls of its own tools that would do something outside the page, if they could. */
  readonly actions: (target: Target) => readonly OwnCall[]
}

/** What an agent must not reach. */
export interface Target {
  /** Doesn't exist. */
  readonly toWrite: string
  /** Holds a secret. */
  readonly toRead: string
  /** Counts who comes. */
  readonly toFetch: string
}

interface OwnCall {
  readonly call: string
  readonly args: Record<string, unknown>
}

const shellLine = ({ toWrite, toRead, toFetch }: Target): string =>
  `echo x > ${toWrite}; cat ${toRead}; curl -s ${toFetch} || wget -q ${toFetch}`

const QUIET = { CI: '1', DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1', DISABLE_ERROR_REPORTING: '1' }
/** Codex's own setting for a provider of models: TOML on its command line. */
const codexProvider = (url: string): string =>
  `{name="scripted",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY",requires_openai_auth=false,request_max_retries=0,stream_max_retries=0,supports_websockets=false}`

export const RECIPES: readonly Recipe[] = [
  {
    id: 'claude-code-acp',
    name: 'Claude Code',
    version: '0.16.2',
    package: '@zed-industries/claude-code-acp',
    env: (url) => ({ ...QUIET, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy' }),
    actions: (target) => [
      { call: 'Bash', args: { command: shellLine(target), description: 'x' } },
      { call: 'Write', args: { file_path: target.toWrite, content: 'x' } },
      { call: 'Read', args: { file_path: target.toRead } },
      { call: 'WebFetch', args: { url: target.toFetch, prompt: 'x' } },
    ],
  },
  {
    id: 'codex-acp',
    name: 'Codex',
    version: '0.16.0',
    package: '@zed-industries/codex-acp',
    args: (url) =>
      ['model="gpt-5.5"', 'model_provider="scripted"', `model_providers.scripted=${codexProvider(url)}`].flatMap(
        (setting) => ['-c', setting],
      ),
    env: () => ({ ...QUIET, OPENAI_API_KEY: 'dummy' }),
    actions: (target) => [
      { call: 'shell', args: { command: ['sh', '-c', shellLine(target)] } },
      { call: 'exec_command', args: { cmd: shellLine(target) } },
      { call: 'apply_patch', args: { input: `*** Begin Patch\n*** Add File: ${target.toWrite}\n+x\n*** End Patch\n` } },
      { call: 'view_image', args: { path: target.toRead } },
      { call: 'read_file', args: { file_path: target.toRead } },
    ],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    version: '0.61.0',
    package: '@google/gemini-cli',
    args: () => ['--acp', '-m', 'gemini-2.5-pro'],
    env: (url) => ({ ...QUIET, GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy' }),
    authMethod: 'gemini-api-key',
    actions: (target) => [
      { call: 'run_shell_command', args: { command: shellLine(target), description: 'x' } },
      { call: 'write_file', args: { file_path: target.toWrite, content: 'x' } },
      { call: 'read_file', args: { file_path: target.toRead } },
      { call: 'web_fetch', args: { prompt: `Say what ${target.toFetch} says` } },
    ],
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    version: '1.18.33',
    package: 'opencode-linux-x64',
    archive: {
      sha256: '149a676b59224b196626abda2fdbd34c8329ac326b57c4891ba3de446f3ca3c1',
      cmd: './package/bin/opencode',
    },
    args: () => ['acp'],
    env: () => ({ ...QUIET, OPENCODE_CONFIG: '{settings}', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    settings: (url) => ({
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      provider: {
        scripted: {
          name: 'Scripted',
          npm: '@ai-sdk/anthropic',
          options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
          models: { scripted: { name: 'Scripted' } },
        },
      },
    }),
    actions: (target) => [
      { call: 'bash', args: { command: shellLine(target), description: 'x' } },
      { call: 'write', args: { filePath: target.toWrite, content: 'x' } },
      { call: 'read', args: { filePath: target.toRead } },
      { call: 'webfetch', args: { url: target.toFetch, format: 'text' } },
    ],
  },
  {
    id: 'github-copilot-cli',
    name: 'GitHub Copilot',
    version: '1.0.102',
    package: '@github/copilot-linux-x64',
    archive: {
      sha256: '450d256c69526c1c30286d21df0f6e1a05412beb37fe4a5b5054905f5f8fbd3d',
      cmd: './package/copilot',
    },
    args: () => ['--acp'],
    env: (url) => ({
      ...QUIET,
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_API_KEY: 'dummy',
      COPILOT_MODEL: 'claude-sonnet-4.5',
    }),
    actions: (target) => [
      { call: 'bash', args: { command: shellLine(target), description: 'x' } },
      { call: 'create', args: { path: target.toWrite, file_text: 'x' } },
      { call: 'view', args: { path: target.toRead } },
      { call: 'web_fetch', args: { url: target.toFetch } },
    ],
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    version: '0.24.4',
    package: '@qwen-code/qwen-code',
    args: () => ['--acp'],
    env: () => QUIET,
    actions: () => [],
  },
]
