/** Real agents through a whole engine: from a site's question to its page's tool and back, and nothing else. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentScript, scriptedAgentModels } from '@leuria/testing'
import { describe, expect, it, type TestContext } from 'vitest'
import { type BoxedAgent, boxAgent, installAgent, type Recipe, RECIPES } from './real-agent.js'
import { type RealSite, realSite } from './real-site.js'

/** First an install, then cold starts on a busy machine. */
const LIMIT_MS = 180_000

const SEARCH = {
  description: 'Searches the products of this shop',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  run: (): unknown => ({ found: ['blue mug'] }),
}

/** Names of tools with effects outside the page. */
const ACTING = /shell|bash|exec|^write(_file)?$|edit|replace|fetch|web_search|read_(many_)?files?|^read$|grep|glob/i

interface Scene extends AsyncDisposable {
  readonly boxed: BoxedAgent
  readonly site: RealSite
  readonly models: Awaited<ReturnType<typeof scriptedAgentModels>>
  readonly visitorHome: string
  readonly folder: string
}

/** Skips the test, with the reason, where the agent can't be had. */
async function open(recipe: Recipe, context: TestContext): Promise<Scene> {
  const installed = await installAgent(recipe)
  if ('why' in installed) return context.skip(installed.why)
  const visitorHome = await mkdtemp(join(tmpdir(), 'leuria-home-'))
  const models = await scriptedAgentModels()
  const boxed = await boxAgent(recipe, installed, { modelUrl: models.url, visitorHome })
  const site = await realSite(boxed.agent)
  return {
    boxed,
    site,
    models,
    visitorHome,
    folder: installed.readable[0] ?? '',
    [Symbol.asyncDispose]: async () => {
      await site.close()
      await boxed.close()
      await models.close()
      await rm(visitorHome, { recursive: true, force: true })
    },
  }
}

/** Programs that were started from the agent's folder. */
function running(folder: string): string[] {
  const list = execFileSync('ps', ['-axww', '-o', 'stat=,args='], { encoding: 'utf8' }).split('\n')
  return list.filter((line) => line.includes(folder) && !line.startsWith('Z'))
}

describe.each(RECIPES)('$name $version', (recipe) => {
  it(
    "answers from the page's tool, is stopped, goes on, and leaves no process",
    async (context) => {
      const scene = await open(recipe, context)
      await using _ = scene
      const session = await scene.site.open({ search_products: SEARCH })
      expect(await session.act('approve')).toBe(200)
      await session.next('ready')
      const prompt = agentScript(
        { say: 'Looking. ' },
        { call: 'search_products', args: { query: 'mug' } },
        { say: 'Found {{result}}' },
      )
      expect(await session.act('prompt', { prompt })).toBe(200)
      const answered = await session.next('turn_completed')
      expect(session.page.calls).toMatchObject([{ tool: 'search_products', arguments: { query: 'mug' } }])
      expect(answered).toMatchObject({ text: expect.stringMatching(/Looking\..*Found .*blue mug/s) as unknown })
      const named = session.events.filter(
        ({ event, data }) => event === 'tool_call' && JSON.stringify(data).includes('mcp__webmcp__search_products'),
      )
      expect(named.length).toBeGreaterThan(0)

      await session.act('prompt', { prompt: agentScript({ say: 'one' }, { stall: true }) })
      await expect.poll(() => session.text, { timeout: 10_000 }).toMatch(/one$/)
      await session.act('cancel-turn')
      expect(await session.next('turn_completed', 2)).toMatchObject({ stopReason: 'cancelled' })

      await session.act('prompt', { prompt: agentScript({ say: 'two' }) })
      expect(await session.next('turn_completed', 3)).toMatchObject({ text: 'two' })
      await session.act('close')
      await session.next('completed')
      await scene.boxed.close()
      expect(running(scene.folder)).toEqual([])
      // Codex 0.16 keeps the stopped question open until its end.
      await expect.poll(() => scene.models.requests.filter(({ aborted }) => aborted)).toHaveLength(1)
      expect(await readdir(scene.visitorHome)).toEqual([])
    },
    LIMIT_MS,
  )

  it(
    'writes no file and lists no home, whatever its model wants',
    async (context) => {
      const scene = await open(recipe, context)
      await using _ = scene
      const session = await scene.site.open({ search_products: SEARCH })
      await session.act('approve')
      await session.next('ready')
      const path = join(scene.visitorHome, 'written')
      const { name, args } = recipe.writeFile(path)
      await session.act('prompt', { prompt: agentScript({ call: name, args, anyway: true }, { say: 'tried' }) })
      const over = ({ event }: { event: string }): boolean => event === 'turn_completed' || event === 'failed'
      await expect.poll(() => session.events.some(over), { timeout: 40_000 }).toBe(true)
      expect(existsSync(path)).toBe(false)
      for (const { tools } of scene.models.requests) expect(tools.filter((tool) => ACTING.test(tool))).toEqual([])
    },
    LIMIT_MS,
  )
})
