/** The visitor's AIs in the window: found, added, installed, signed in, tried, chosen, removed; files looked at afterwards. */
import { delimiter } from 'node:path'
import { chromiumForTests } from '@leuria/tooling/chromium'
import {
  type AgentList,
  autoAnswer,
  type ModelAnswer,
  npmEntry,
  openAgentList,
  type ScriptedLmStudio,
  scriptedLmStudio,
  type ScriptedModelServer,
  scriptedModelServer,
} from '@leuria/testing'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WindowStage } from './window-stage.js'

const executablePath = chromiumForTests()

/** Uses the tool it is offered, then says what came back. */
const sensible: ModelAnswer = (exchange) => exchange.play(autoAnswer(exchange.body))

describe.skipIf(executablePath === null)('AIs in the window', () => {
  let stage: WindowStage
  let list: AgentList
  let lmStudio: ScriptedLmStudio
  let server: ScriptedModelServer

  beforeAll(async () => {
    list = await openAgentList()
    list.serve(npmEntry('codex-acp'), npmEntry('other'))
    lmStudio = await scriptedLmStudio({ otherwise: sensible })
    server = await scriptedModelServer({ otherwise: sensible, models: ['qwen3'] })
    const providers = [{ id: 'lmstudio', kind: 'lmstudio', name: 'LM Studio', baseUrl: lmStudio.url }]
    stage = await WindowStage.open(
      executablePath ?? '',
      { 'providers.json': { version: 1, providers } },
      { ACP_REGISTRY_URL: list.url, PATH: `${list.bin}${delimiter}${process.env.PATH ?? ''}` },
    )
  })
  afterEach(() => stage.closePages())
  afterAll(async () => {
    await stage.close()
    await Promise.all([lmStudio.close(), server.close(), list[Symbol.asyncDispose]()])
  })

  async function openAis(): Promise<Page> {
    const page = await stage.window()
    await page.getByRole('navigation').getByRole('button', { name: 'Your AIs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your AIs' }).waitFor()
    return page
  }

  const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).first()

  it('offers what was found the first time, and takes it', async () => {
    const page = await stage.window()
    await page.getByRole('heading', { level: 1, name: 'Welcome to Leuria' }).waitFor()
    await page.getByText('The codex-acp').waitFor()
    await stage.picture(page, 'first-run-with-ais')
    expect(await stage.axe(page)).toEqual([])
    await card(page, 'LM Studio').getByRole('button', { name: 'Use it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your AIs' }).waitFor()
    await expect.poll(() => stage.file('config.json').catch(() => null)).toMatchObject({ agent: 'llm:lmstudio' })
  })

  it('tries an AI with a page’s tool, step by step', async () => {
    const page = await openAis()
    await card(page, 'LM Studio').getByRole('button', { name: 'Try it' }).click()
    await page.getByText('It works.').waitFor({ timeout: 60_000 })
    await stage.picture(page, 'ais-tested')
    expect(await stage.axe(page)).toEqual([])
  })

  it('adds a service after trying it, says why one can’t be used, and forgets one', async () => {
    const page = await openAis()
    await page.getByText('Add a service').click()
    await page.getByLabel('Name').fill('Nowhere')
    await page.getByLabel('Address').fill('http://127.0.0.1:9')
    await page.getByRole('button', { name: 'Try and save' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Name').fill('Mine')
    await page.getByLabel('Address').fill(server.url)
    await page.getByLabel('Key, if it wants one').fill('sk-secret')
    await page.getByRole('button', { name: 'Try and save' }).click()
    await page.getByText('Mine works: 1 model.').waitFor()
    expect(await stage.file('providers.json')).toMatchObject({
      providers: expect.arrayContaining([expect.objectContaining({ id: 'mine', apiKey: 'sk-secret' })]) as unknown,
    })
    expect(await page.content()).not.toContain('sk-secret')
    await page.getByRole('button', { name: 'Forget Mine' }).click()
    await expect.poll(async () => JSON.stringify(await stage.file('providers.json'))).not.toContain('sk-secret')
  })

  it('installs an agent, signs in to it by hand of its own, lets it answer sites, and removes it', async () => {
    const page = await openAis()
    await card(page, 'The codex-acp').getByRole('button', { name: 'Install' }).click()
    await page.getByRole('button', { name: 'ChatGPT' }).waitFor({ timeout: 60_000 })
    await page.getByText('leuria login codex-acp').first().waitFor()
    await stage.picture(page, 'ais-sign-in')
    expect(await stage.axe(page)).toEqual([])
    await page.getByRole('button', { name: 'ChatGPT' }).first().click()
    await expect
      .poll(() => stage.file('sign-ins.json').catch(() => null), { timeout: 30_000 })
      .toMatchObject({ agents: { 'codex-acp': { state: 'signed_in' } } })
    // From the engine, whichever window did it.
    await card(page, 'The codex-acp').getByRole('button', { name: 'Let it answer sites' }).click()
    await expect.poll(() => stage.file('config.json')).toMatchObject({ agent: 'codex-acp' })
    await card(page, 'LM Studio').getByRole('button', { name: 'Let it answer sites' }).click()
    await expect.poll(() => stage.file('config.json')).toMatchObject({ agent: 'llm:lmstudio' })
    await card(page, 'The codex-acp').getByRole('button', { name: 'Remove' }).click()
    await expect
      .poll(async () => JSON.stringify(await stage.admin('agents')))
      .toContain(
        '"id":"codex-acp","kind":"agent","name":"The codex-acp","version":"1.0.0","description":"Does it","installed":null',
      )
  })

  it('recommends the AI that suits a site, with the reason, and connects it with that', async () => {
    await stage.admin('agent', { id: 'demo' })
    const page = await stage.window()
    const origin = 'https://needy.example'
    const { claimed } = await stage.ask(origin, { app: 'Needy', needs: { tools: true } })
    const dialog = page.getByRole('dialog', { name: `${origin} asks to use your AI` })
    await dialog.getByText('Fits well:').waitFor()
    await stage.picture(page, 'question-recommended')
    expect(await stage.axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Allow' }).click()
    expect((await claimed).json).toMatchObject({ status: 'allowed' })
    expect(await stage.file('grants.json')).toMatchObject({
      grants: [expect.objectContaining({ origin, agent: 'llm:lmstudio' })],
    })
    // And another AI later, from the site's own page.
    await page.getByRole('button', { name: /Needy/ }).click()
    await page.getByLabel('Who answers').selectOption('')
    await expect.poll(async () => JSON.stringify(await stage.file('grants.json'))).not.toContain('llm:lmstudio')
  })
})
