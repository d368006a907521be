/** The built shop in a real Chromium, with a fake engine behind it whose AI plays what a test writes down. */
import { fileURLToPath } from 'node:url'
import { fakeEngine, type FakeEngine, type PuppetAi, type PuppetTurn } from '@leuria/testing'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { serveSite, type Site } from '../src/server/serve-site.js'

const SITE = fileURLToPath(new URL('../dist/site', import.meta.url))

/** What the AI does with a question. */
export type Scene = PuppetAi['run']
type ToolOutcome = Awaited<ReturnType<PuppetTurn['call']>>
type TurnEvent = ReturnType<Scene> extends AsyncGenerator<infer Event> ? Event : never

/** Calls a tool of the page as an AI does, and reports it. */
export async function* callTool(turn: PuppetTurn, name: string, args: object): AsyncGenerator<TurnEvent, ToolOutcome> {
  const call = { type: 'tool_call', toolCallId: `ai-${name}`, toolName: `mcp__webmcp__${name}`, title: name } as const
  yield { ...call, status: 'in_progress' }
  const outcome = await turn.call({ name, arguments: args, signal: turn.signal })
  yield { ...call, status: outcome.ok ? 'completed' : 'failed' }
  return outcome
}

export interface ShopPage extends AsyncDisposable {
  readonly page: Page
  readonly engine: FakeEngine
  /** The site's address; with a slash at the end. */
  readonly url: string
  readonly origin: string
  /** What the browser's console complained about so far. */
  readonly complaints: readonly string[]
  readonly play: (scene: Scene) => void
  /** Gives the shop a grant before it is opened, as a visitor's earlier yes would have. */
  connectBefore(): Promise<void>
}

export interface ShopPageOptions {
  browser: Browser
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath })
}

/** Opens nothing yet: a test decides what the engine knows before the page is loaded. */
export async function openShop({ browser, width = 1280, height = 900, ...look }: ShopPageOptions): Promise<ShopPage> {
  let scene: Scene = async function* (turn) {
    yield { type: 'text', text: `You said: ${turn.prompt}` }
  }
  const puppet: PuppetAi = {
    prompts: [],
    release: () => undefined,
    held: () => Promise.resolve(),
    async *run(turn) {
      yield* scene(turn)
      yield { type: 'turn_end', stopReason: turn.signal.aborted ? 'cancelled' : 'end_turn' }
    },
  }
  const engine = await fakeEngine({ puppet })
  engine.agent = 'Demo AI (no model)'
  const site = await serveSite({ folder: SITE, engineUrl: engine.url })
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', ...look })
  const page = await context.newPage()
  const complaints = listen(page)
  const origin = new URL(site.url).origin
  return {
    ...{ page, engine, url: site.url, origin, complaints },
    play(next) {
      scene = next
    },
    async connectBefore() {
      const token = engine.pairing.grant(origin)
      await context.addInitScript(`localStorage.setItem('leuria:token:${engine.url}', '${token}')`)
    },
    [Symbol.asyncDispose]: () => close({ context, site, engine }),
  }
}

function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

async function close({
  context,
  site,
  engine,
}: {
  context: BrowserContext
  site: Site
  engine: FakeEngine
}): Promise<void> {
  await context.close()
  await site.close()
  await engine.close()
}
