/**
 * Real agents of other makers, as these tests drive them: pinned, installed by our own registry into a cache, started
 * in our own box, speaking to a scripted model server instead of their own service.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AcpAgent, createAcpAgent } from '@leuria/agent-acp'
import { openAgentRegistry, RegistryError, type RunnableAgent } from '@leuria/agent-registry'
import { type Box, openBox } from '@leuria/agent-sandbox'

/** How one agent is had and pointed at the scripted models. */
export interface Recipe {
  readonly id: string
  readonly name: string
  readonly version: string
  /** In npm. */
  readonly package: string
  readonly args?: (modelUrl: string) => readonly string[]
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>
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
    id: 'qwen-code',
    name: 'Qwen Code',
    version: '0.24.4',
    package: '@qwen-code/qwen-code',
    args: () => ['--acp'],
    env: () => QUIET,
    actions: () => [],
  },
]

/** Kept between runs (git ignores it): about 450 MB, ten to twenty seconds from npm. */
const CACHE = new URL('../../../node_modules/.cache/leuria-agents', import.meta.url).pathname

/** Fetching so much is nothing to do unasked on somebody's own computer. */
const MAY_FETCH = process.env['CI'] !== undefined || process.env['LEURIA_REAL_AGENTS'] === '1'

/** The agent, installed; or why it can't be had here. Under CI only a too old Node.js is a reason. */
export async function installAgent(recipe: Recipe): Promise<RunnableAgent | { readonly why: string }> {
  const { id, name, version } = recipe
  if (!MAY_FETCH && !existsSync(join(CACHE, id)))
    return { why: `${name} is fetched from npm only under CI, or with LEURIA_REAL_AGENTS=1` }
  const entry = { id, name, version, distribution: { npx: { package: `${recipe.package}@${version}` } } }
  const registry = await openAgentRegistry({
    home: join(CACHE, id),
    fetch: () => Promise.resolve(Response.json({ agents: [entry] })),
  })
  try {
    return await registry.install(id)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.code !== 'needs_newer_node' && process.env['CI'] !== undefined) throw error
    return { why: error.message }
  } finally {
    await registry.close()
  }
}

export interface BoxedAgent {
  readonly agent: AcpAgent
  readonly box: Box
  readonly log: readonly string[]
  close(): Promise<void>
}

/** The agent in its box, as an AI. `visitorHome`: what the box keeps from it. */
export async function boxAgent(
  recipe: Recipe,
  installed: RunnableAgent,
  { modelUrl, visitorHome, sandbox = true }: { modelUrl: string; visitorHome: string; sandbox?: boolean },
): Promise<BoxedAgent> {
  const log: string[] = []
  const box = await openBox({ readable: installed.readable, visitorHome, sandbox })
  const agent = createAcpAgent({
    id: installed.id,
    name: installed.name,
    command: installed.command,
    args: [...installed.args, ...(recipe.args?.(modelUrl) ?? [])],
    env: recipe.env(modelUrl),
    version: recipe.version,
    authMethod: recipe.authMethod,
    launch: box.launch,
    log: (line) => log.push(line),
  })
  const close = async (): Promise<void> => {
    await agent.close()
    await box.close()
  }
  return { agent, box, log, close }
}
