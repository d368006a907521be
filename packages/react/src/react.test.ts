import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  executablePath,
  openReactBrowser,
  type ReactBrowser,
  renderOnServer,
  VERSIONS,
} from './scenes/react-versions.fixture.js'

const WAITING = { status: 'needs-action', action: 'connect' }

describe.skipIf(executablePath === null).each(VERSIONS)('with React %i', (version) => {
  let browser: ReactBrowser
  beforeAll(async () => {
    browser = await openReactBrowser(version)
  })
  afterAll(() => browser.close())
  afterEach(() => browser.closePages())

  async function mount(scene: string, options: object = {}): Promise<{ page: Page; complaints: string[] }> {
    const opened = await browser.open()
    await opened.page.evaluate(`react.mount(${JSON.stringify(scene)}, ${JSON.stringify(options)})`)
    await opened.page.locator('#root > *').first().waitFor({ state: 'attached' })
    return opened
  }
  const text = (page: Page, id: string) => page.locator(`#${id}`).innerText()
  const says = (page: Page, id: string, words: string) => expect.poll(() => text(page, id)).toBe(words)
  const renders = (page: Page): Promise<unknown> => page.evaluate('({ ...react.seen.renders })')
  const calls = (page: Page): Promise<unknown> => page.evaluate('ai.calls')

  it('runs that React', async () => {
    const { page } = await browser.open()
    expect(await page.evaluate('parseInt(react.version)')).toBe(version)
  })

  it('throws outside of a LeuriaProvider, and says what is missing', async () => {
    const { page } = await browser.open()
    await page.evaluate('react.mountOutside()')
    await says(page, 'caught', 'This hook needs a <LeuriaProvider client={…}> above its component.')
  })

  describe('the state', () => {
    it('is rendered, and only what changed is rendered again', async () => {
      const { page, complaints } = await mount('State', WAITING)
      await says(page, 'active', 'nobody')
      expect([await text(page, 'labels'), await text(page, 'counts')]).toEqual(['AI bridge,AI server', '2 1'])
      const before = await renders(page)
      expect(before).toEqual({ active: 1, labels: 1, counts: 1, whole: 1, one: 1 })

      await page.evaluate("ai.become({ detail: 'No news for most.' })")
      await page.evaluate("ai.become({ detail: 'Nor this.' })")
      await expect.poll(() => renders(page)).toEqual({ active: 1, labels: 1, counts: 1, whole: 3, one: 1 })

      await page.evaluate("site.become({ model: 'small' })")
      await says(page, 'one', 'small null')
      expect(await renders(page)).toEqual({ active: 1, labels: 1, counts: 1, whole: 4, one: 2 })

      await page.evaluate("ai.become({ status: 'ready' })")
      await says(page, 'active', 'bridge')
      expect(await renders(page)).toEqual({ active: 2, labels: 1, counts: 2, whole: 5, one: 2 })
      expect(complaints).toEqual([])
    })

    it('is left when the component goes', async () => {
      const { page, complaints } = await mount('State', WAITING)
      const before = await renders(page)
      await page.evaluate("react.unmount(); ai.become({ status: 'ready' })")
      expect(await renders(page)).toEqual(before)
      expect(complaints).toEqual([])
    })
  })

  it('useConnect gives state and actions, which keep their identity', async () => {
    const { page } = await mount('Connect', WAITING)
    await says(page, 'connect', 'not-connected')
    await page.locator('#connect').click()
    await says(page, 'connect', 'connecting')
    await page.evaluate('ai.allow()')
    await says(page, 'connect', 'connected Claude Code')
    await page.evaluate('react.seen.connect.disconnect()')
    await says(page, 'connect', 'not-connected')
    expect(await calls(page)).toEqual(['connect', 'disconnect'])
    const kept = `['connect', 'retry', 'disconnect', 'manage', 'chooseInstead'].every((name) => new Set(react.seen.connects.map((one) => one[name])).size === 1)`
    expect(await page.evaluate(kept)).toBe(true)
  })

  describe('useConversation', () => {
    it.each([false, true])(
      'makes one, opens one session, and closes it with the component (StrictMode: %s)',
      async (strict) => {
        const { page, complaints } = await mount('Talk', { strict })
        await says(page, 'talk', 'idle ready 0')
        expect(await calls(page)).toEqual(['open', 'warm'])
        await page.evaluate("void react.seen.conversation.send('Hello')")
        await says(page, 'talk', 'running ready 2')
        await page.evaluate("ai.turn.text('Hi'); ai.finish('Hi')")
        await says(page, 'talk', 'idle ready 2')
        await page.evaluate('react.unmount()')
        await expect.poll(() => calls(page)).toEqual(['open', 'warm', 'close'])
        expect(complaints).toEqual([])
      },
    )

    it('closes it when the page is left, and goes on when the page comes back', async () => {
      const { page } = await mount('Talk')
      await says(page, 'talk', 'idle ready 0')
      await page.evaluate("dispatchEvent(new Event('pagehide'))")
      await says(page, 'talk', 'idle none 0')
      await page.evaluate("void react.seen.conversation.send('Back again')")
      await says(page, 'talk', 'running ready 2')
      expect(await calls(page)).toEqual(['open', 'warm', 'close', 'open'])
    })

    it('shows the answer as it is written', async () => {
      const { page } = await mount('Messages')
      await page.evaluate("void react.seen.conversation.send('Hello')")
      await expect.poll(() => text(page, 'messages')).toContain('Hello')
      await page.waitForFunction('ai.turn !== undefined')
      await page.evaluate("ai.turn.text('Once '); ai.turn.text('upon')")
      await expect.poll(() => text(page, 'messages')).toContain('Once upon')
    })
  })

  describe('useChat', () => {
    const start = async (page: Page, prompt = "'Hello'"): Promise<void> => {
      await page.evaluate(`ai.turn = undefined; void react.seen.chat.start(${prompt})`)
      await page.waitForFunction('ai.turn !== undefined')
    }

    it('runs a request from words on the way to its end', async () => {
      const { page, complaints } = await mount('Chat', { strict: true })
      await says(page, 'chat', 'idle "" null no-error')
      await start(page)
      await page.evaluate("ai.turn.status('Looking at the shelves'); ai.turn.text('Once '); ai.turn.text('upon')")
      await says(page, 'chat', 'running "Once upon" Looking at the shelves no-error')
      await page.evaluate("ai.finish('Once upon')")
      await says(page, 'chat', 'done "Once upon" null no-error')
      expect(complaints).toEqual([])
    })

    it('stops on demand and keeps what was written', async () => {
      const { page } = await mount('Chat')
      await start(page, "{ prompt: 'Hello' }")
      await page.evaluate("ai.turn.text('Once')")
      await page.evaluate('react.seen.chat.stop()')
      await says(page, 'chat', 'idle "Once" null no-error')
      expect(await calls(page)).toContain('stopped')
    })

    it('tells what went wrong, and starts anew', async () => {
      const { page } = await mount('Chat')
      await start(page)
      await page.evaluate('ai.fail()')
      await expect.poll(() => text(page, 'chat')).toMatch(/^error "" null \w+/)
      await start(page)
      await says(page, 'chat', 'running "" null no-error')
    })

    it('lets a new request take the place of the one under way', async () => {
      const { page } = await mount('Chat')
      await start(page)
      await page.evaluate("globalThis.old = ai.turn; ai.turn.text('Old')")
      await start(page)
      await page.evaluate("old.text('Late'); ai.turn.text('New')")
      await says(page, 'chat', 'running "New" null no-error')
    })

    it('stops with the component', async () => {
      const { page } = await mount('Chat', { strict: true })
      await start(page)
      await page.evaluate('react.unmount()')
      await expect.poll(() => calls(page)).toEqual(['open', 'stopped', 'close'])
    })
  })

  it('useExposedTools registers once, runs the newest function, and takes the tools back', async () => {
    const { page } = await browser.open()
    await page.evaluate(`{
      globalThis.registered = new Map(); globalThis.log = []
      const modelContext = {
        registerTool(tool, { signal } = {}) {
          log.push('+' + tool.name); registered.set(tool.name, tool)
          signal?.addEventListener('abort', () => { log.push('-' + tool.name); registered.delete(tool.name) })
        },
      }
      Object.defineProperty(document, 'modelContext', { value: modelContext })
    }`)
    await page.evaluate("react.mount('Tools', {})")
    await says(page, 'tools', '1')
    const run = () => page.evaluate("registered.get('round').execute({}).then((result) => JSON.stringify(result))")
    await expect.poll(() => page.evaluate('log.join()')).toBe('+round')
    expect(await run()).toContain('round 1')
    await page.evaluate('react.seen.again()')
    await says(page, 'tools', '2')
    expect([await run(), await page.evaluate('log.join()')]).toEqual([expect.stringContaining('round 2'), '+round'])
    await page.evaluate('react.seen.again()')
    await expect.poll(() => page.evaluate('log.join()')).toBe('+round,-round,+round,+another')
    await page.evaluate('react.unmount()')
    await expect.poll(() => page.evaluate('registered.size')).toBe(0)
  })

  it('the elements are components, with the client of their provider', async () => {
    const { page, complaints } = await mount('Elements', { ...WAITING, strict: true })
    const button = page.locator('leuria-connect-button')
    await page.getByRole('button', { name: 'Connect your AI' }).waitFor()
    const attributes =
      'Object.fromEntries([...document.querySelector("leuria-connect-button").attributes].map(({ name, value }) => [name, value]))'
    expect(await page.evaluate(attributes)).toEqual({ class: 'mine', size: '3', 'hide-byline': '' })
    expect(await button.locator('.byline').count()).toBe(0)
    await page.getByText('Nobody yet').waitFor()
    await page.getByRole('link', { name: 'Bring your own AI' }).waitFor()
    await page.evaluate("ai.become({ status: 'ready', model: 'Claude Code' })")
    await page.getByRole('button', { name: 'Your AI: Claude Code' }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    await expect.poll(() => page.evaluate('react.seen.disconnects')).toBe(1)
    expect(complaints.filter((text) => !text.includes('Lit is in dev mode'))).toEqual([])
  })

  describe('on a server', () => {
    it('renders without asking or opening anything', async () => {
      const { html, calls: opened, version: used } = await renderOnServer(version, 'Server')
      expect(used).toMatch(new RegExp(`^${version}\\.`))
      expect(opened).toEqual([])
      expect(html).toContain('<leuria-connect-button class="mine" size="3" hide-byline=""></leuria-connect-button>')
      expect(html).toContain('<leuria-ai-status></leuria-ai-status>')
      expect(html).toContain('<leuria-badge href="/ai">Bring your own AI</leuria-badge>')
      expect(html).toContain('<p id="active">nobody</p>')
      expect(html).toContain('checking</button>')
    })

    it.each([false, true])(
      'is hydrated without a mismatch, although this visitor is connected (StrictMode: %s)',
      async (strict) => {
        const { html } = await renderOnServer(version, 'Server')
        const { page, complaints } = await browser.open(html)
        await page.evaluate(`react.hydrate('Server', { strict: ${strict}, status: 'ready', model: 'Claude Code' })`)
        await says(page, 'active', 'bridge')
        await says(page, 'connect', 'connected Claude Code')
        await page.getByRole('button', { name: 'Your AI: Claude Code' }).waitFor()
        await says(page, 'talk', 'idle ready 0')
        expect(await calls(page)).toEqual(['open', 'warm'])
        expect(complaints).toEqual([])
      },
    )
  })
})
