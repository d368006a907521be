/** What `leuria` can be asked, and nothing else. Each command's code is loaded when it is used. */
import { ENGINE_VERSION } from '@leuria/engine/version'
import { Argument, Command, InvalidArgumentError } from 'commander'
import type { InstallFlags } from './commands/agents-install.js'
import type { NewAgent } from './commands/agents-own.js'
import type { TrustFlags } from './commands/agents-trust.js'
import type { WarmChoice } from './commands/agents-warm.js'
import type { AiTestFlags } from './commands/ai-test.js'
import type { LimitFlags } from './commands/limits.js'
import type { LogFlags } from './commands/log.js'
import type { LoginFlags } from './commands/login.js'
import type { ProviderTestFlags } from './commands/provider-test.js'
import type { NewProvider } from './commands/providers.js'
import type { SetupFlags } from './commands/setup.js'
import type { StartFlags } from './commands/start.js'
import { parsePort } from './chosen-port.js'

function readPort(text: string): number {
  const port = parsePort(text)
  if (port === null) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return port
}

/** For options that may be given more than once. */
function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

const START_HELP = `
Examples:
  leuria start
  leuria start --agent llm:my-server/qwen3 --port 20000

The port comes from --port, else LEURIA_PORT, else config.json, else 19570.
LEURIA_HOME moves the folder ~/.leuria.`

const program = new Command('leuria')
  .description('Lets web pages use your own AI. Sites get nothing until you say yes.')
  .version(ENGINE_VERSION, '-V, --version', 'print the version')
  .showHelpAfterError('(leuria --help lists the commands)')
  .addHelpText('after', '\nExit codes: 0 done; 1 it could not be done, and a line on the error output says why.')

program
  .command('start', { isDefault: true })
  .description('start the engine; Ctrl+C ends it')
  .option('-p, --port <number>', 'listen on this port, this time only (0: any free one)', readPort)
  .option('-a, --agent <id>', 'the AI for this time: demo, or llm:<provider>/<model>')
  .option('--trust <id...>', 'let these agents run outside a sandbox although nobody has checked them, this time only')
  .option('--open', 'open a browser tab when a site asks (what happens without --json)')
  .option('--no-open', 'only print the address when a site asks')
  .option('--json', 'print one JSON object a line on stdout, for other programs')
  .option('--plain', 'print lines one after another instead of a view that changes')
  .option('-v, --verbose', 'print what happens inside, for finding faults')
  .addHelpText('after', START_HELP)
  .action(async (flags: StartFlags) => {
    const { start } = await import('./commands/start.js')
    await start(flags)
  })

program
  .command('setup')
  .description('choose the AI that answers sites, install it if needed, sign in, and try it')
  .option('--update', 'install newer versions of agents first')
  .option('--json', 'ask nothing; print JSON')
  .addHelpText('after', '\nWithout a terminal it asks nothing and takes the best AI that is here.')
  .action(async (flags: SetupFlags) => {
    const { setUp } = await import('./commands/setup.js')
    await setUp(flags)
  })

program
  .command('test [id]')
  .description('the same as leuria ai test: does an AI work with a page, and keep to it')
  .option('--model <id>', 'a model of that AI')
  .option('--json', 'print JSON')
  .action(async (id: string | undefined, flags: AiTestFlags) => {
    const { testAi } = await import('./commands/ai-test.js')
    await testAi(id, flags)
  })

const providers = program
  .command('providers')
  .description('AI services of your own: any server that speaks the OpenAI API')

providers
  .command('add <name> <url>')
  .description('save a service; its id is the name in lower case with dashes')
  .option('--key <key>', 'its API key (other programs can see it while this runs; prefer --key-stdin)')
  .option('--key-stdin', 'read the API key from standard input')
  .option('--header <header>', 'a header for every request, "Name: value"; more than once for more', collect)
  .option('--json', 'print JSON')
  .addHelpText('after', '\nExample:\n  leuria providers add "My server" http://127.0.0.1:8080 --key-stdin < key.txt')
  .action(async (name: string, url: string, flags: Omit<NewProvider, 'name' | 'url'>) => {
    const { addProvider } = await import('./commands/providers.js')
    await addProvider({ name, url, ...flags })
  })

providers
  .command('list', { isDefault: true })
  .description('list the saved services')
  .option('--json', 'print JSON')
  .action(async (flags: { json?: boolean }) => {
    const { listProviders } = await import('./commands/providers.js')
    await listProviders(flags)
  })

providers
  .command('remove <id>')
  .description('forget a service and its key')
  .option('--json', 'print JSON')
  .action(async (id: string, flags: { json?: boolean }) => {
    const { removeProvider } = await import('./commands/providers.js')
    await removeProvider(id, flags)
  })

providers
  .command('test <id>')
  .description('ask a service for an answer: is it there, does it take the key')
  .option('--model <id>', 'the model to ask; else the first one it lists')
  .option('--json', 'print JSON')
  .action(async (id: string, flags: ProviderTestFlags) => {
    const { testSavedProvider } = await import('./commands/provider-test.js')
    await testSavedProvider(id, flags)
  })

const ai = program.command('ai').description('the AIs of this computer and of your services, and which one answers')

ai.command('list', { isDefault: true })
  .description('look for AIs: what each can do, which is the default, why one is unusable')
  .option('--json', 'print JSON')
  .action(async (flags: { json?: boolean }) => {
    const { listAis } = await import('./commands/ai.js')
    await listAis(flags)
  })

ai.command('use <id>')
  .description('make an AI your default: demo, llm:<service>, or llm:<service>/<model>')
  .option('--model <id>', 'a model of that AI, or auto')
  .option('--json', 'print JSON')
  .addHelpText('after', '\nExample:\n  leuria ai use llm:ollama/llama3.2')
  .action(async (id: string, flags: { model?: string; json?: boolean }) => {
    const { useAi } = await import('./commands/ai-use.js')
    await useAi({ id, ...flags })
  })

ai.command('test [id]')
  .description("ask an AI something that only a page's tool can answer; without an id, your default AI")
  .option('--model <id>', 'a model of that AI')
  .option('--json', 'print JSON')
  .action(async (id: string | undefined, flags: AiTestFlags) => {
    const { testAi } = await import('./commands/ai-test.js')
    await testAi(id, flags)
  })

ai.command('embeddings [choice]')
  .description('which model turns texts into vectors for sites: auto, off, or llm:<service>/<model>')
  .option('--json', 'print JSON')
  .action(async (choice: string | undefined, flags: { json?: boolean }) => {
    const { chooseEmbeddings } = await import('./commands/ai-embeddings.js')
    await chooseEmbeddings(choice, flags)
  })

const agents = program
  .command('agents')
  .description('AI programs that speak ACP: Claude Code, Codex, Gemini CLI, or one of your own')

agents
  .command('list', { isDefault: true })
  .description('list the agents that are here and those that can be installed')
  .option('--json', 'print JSON')
  .addHelpText('after', '\nThe list comes from the public ACP registry, or from the address in ACP_REGISTRY_URL.')
  .action(async (flags: { json?: boolean }) => {
    const { listAgents } = await import('./commands/agents.js')
    await listAgents(flags)
  })

agents
  .command('install <id>')
  .description("install an agent of the list into Leuria's own folder; Ctrl+C calls it off")
  .option('--insist', 'also when its maker gives no checksum to compare it with')
  .option('--json', 'print JSON')
  .addHelpText('after', '\nExample:\n  leuria agents install claude-acp')
  .action(async (id: string, flags: InstallFlags) => {
    const { installAgent } = await import('./commands/agents-install.js')
    await installAgent(id, flags)
  })

agents
  .command('update [id]')
  .description('install newer versions; without an id, of all that Leuria installed')
  .option('--insist', 'also when its maker gives no checksum to compare it with')
  .option('--json', 'print JSON')
  .action(async (id: string | undefined, flags: InstallFlags) => {
    const { updateAgents } = await import('./commands/agents-install.js')
    await updateAgents(id, flags)
  })

agents
  .command('remove <id>')
  .description('remove an agent that Leuria installed, or forget one of your own')
  .option('--json', 'print JSON')
  .action(async (id: string, flags: { json?: boolean }) => {
    const { removeAgent } = await import('./commands/agents-own.js')
    await removeAgent(id, flags)
  })

agents
  .command('add <id>')
  .description('add an agent of your own, or replace it; it runs in the same box as the others')
  .requiredOption('--command <line>', 'its command line; no shell is involved')
  .option('--name <name>', 'what it is called; else its id')
  .option('--env <NAME=VALUE>', 'a variable for it; more than once for more', collect)
  .option('--read <path>', 'a folder that it needs to read to run; more than once for more', collect)
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExample:\n  leuria agents add mine --command "node /opt/mine/agent.js --acp" --read /opt/mine --env MODEL=small',
  )
  .action(async (id: string, flags: NewAgent) => {
    const { addAgent } = await import('./commands/agents-own.js')
    await addAgent(id, flags)
  })

agents
  .command('trust <id>')
  .description('let an agent run outside a sandbox although nobody has checked it')
  .option('--yes', 'without asking')
  .option('--json', 'print JSON')
  .action(async (id: string, flags: TrustFlags) => {
    const { trustAgent } = await import('./commands/agents-trust.js')
    await trustAgent(id, flags)
  })

agents
  .command('untrust <id>')
  .description('let an agent run only in a sandbox again, or in a version that was checked; its sessions end')
  .option('--json', 'print JSON')
  .action(async (id: string, flags: { json?: boolean }) => {
    const { untrustAgent } = await import('./commands/agents-trust.js')
    await untrustAgent(id, flags)
  })

agents
  .command('warm')
  .description('whether your AI, if it is an agent, is started before a page needs it')
  .addArgument(new Argument('[choice]', 'without it, tells how it is').choices(['on', 'off']))
  .option('--json', 'print JSON')
  .action(async (choice: WarmChoice | undefined, flags: { json?: boolean }) => {
    const { chooseWarm } = await import('./commands/agents-warm.js')
    await chooseWarm(choice, flags)
  })

program
  .command('login [id]')
  .description('sign in to an agent in its own way; without an id, to your default AI')
  .option('--method <id>', 'the way to sign in, where there is more than one')
  .option('--json', 'print JSON')
  .addHelpText('after', '\nExamples:\n  leuria login claude-acp\n  leuria login codex-acp --method chatgpt')
  .action(async (id: string | undefined, flags: LoginFlags) => {
    const { login } = await import('./commands/login.js')
    await login(id, flags)
  })

const sites = program.command('sites').description('the sites that may use your AI')

sites
  .command('list', { isDefault: true })
  .description('list the connected sites and what they used today')
  .option('--json', 'print JSON')
  .action(async (flags: { json?: boolean }) => {
    const { listSites } = await import('./commands/sites.js')
    await listSites(flags)
  })

sites
  .command('revoke <origin>')
  .description('take a connection back; its sessions end at once')
  .option('--json', 'print JSON')
  .action(async (origin: string, flags: { json?: boolean }) => {
    const { revokeSite } = await import('./commands/sites.js')
    await revokeSite(origin, flags)
  })

sites
  .command('use <origin> <ai>')
  .description('choose the AI of a site: default, demo, or llm:<provider>/<model>')
  .option('--model <id>', 'a model of that AI')
  .option('--json', 'print JSON')
  .addHelpText('after', '\nExample:\n  leuria sites use https://shop.example llm:my-server/qwen3')
  .action(async (origin: string, ai: string, flags: { model?: string; json?: boolean }) => {
    const { chooseForSite } = await import('./commands/sites.js')
    await chooseForSite({ origin, ai, ...flags })
  })

const limits = program.command('limits').description('how much each site may use of your AI')

limits
  .command('list', { isDefault: true })
  .description('list the sites that have limits')
  .option('--json', 'print JSON')
  .action(async (flags: { json?: boolean }) => {
    const { listLimits } = await import('./commands/limits.js')
    await listLimits(flags)
  })

limits
  .command('set <origin>')
  .description('set limits of a site; those not named stay as they are')
  .option('--turns-per-hour <number>', 'questions it may ask in an hour, or none')
  .option('--tokens-per-day <number>', 'tokens it may use in a day, or none')
  .option('--sessions <number>', 'conversations it may have at once, or none')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExample:\n  leuria limits set https://shop.example --turns-per-hour 20 --tokens-per-day 100000',
  )
  .action(async (origin: string, flags: LimitFlags) => {
    const { setLimits } = await import('./commands/limits.js')
    await setLimits(origin, flags)
  })

limits
  .command('clear <origin>')
  .description('take all limits of a site away')
  .option('--json', 'print JSON')
  .action(async (origin: string, flags: { json?: boolean }) => {
    const { clearLimits } = await import('./commands/limits.js')
    await clearLimits(origin, flags)
  })

program
  .command('log')
  .description('what sites and AIs did on this computer; names only, never content')
  .option('--origin <origin>', 'only what concerns this site')
  .option('--since <time>', 'only since then: 2026-11-30, or 30m, 2h, 7d')
  .option('-f, --follow', 'go on as things happen')
  .option('--json', 'print one JSON object a line')
  .action(async (flags: LogFlags) => {
    const { showLog } = await import('./commands/log.js')
    await showLog(flags)
  })

program
  .command('doctor')
  .description('look at everything that Leuria needs here; exit code 1 when something is wrong')
  .option('--json', 'print JSON')
  .action(async (flags: { json?: boolean }) => {
    const { examine } = await import('./commands/doctor.js')
    await examine(flags)
  })

program
  .command('completion <shell>')
  .description('print what bash, zsh or fish needs to complete commands')
  .addHelpText('after', '\nExample:\n  source <(leuria completion bash)')
  .action(async (shell: string) => {
    const { printCompletion } = await import('./commands/completion.js')
    printCompletion(program, shell)
  })

program
  .command('mcp-stdio <url>', { hidden: true })
  .description('MCP over standard input and output, for agents without HTTP (token: LEURIA_MCP_TOKEN)')
  .action(async (url: string) => {
    const { bridgeStdio } = await import('./commands/mcp-stdio.js')
    await bridgeStdio(url)
  })

/** Does what the words of the command line say. */
export async function runCommandLine(): Promise<void> {
  await program.parseAsync()
}
