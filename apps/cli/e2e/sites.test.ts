/** `leuria sites` in one process, an engine with live sessions in another. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli, startEngine, temporaryHome } from './cli-process.js'
import { callAs, connectSite } from './connect-site.js'
import { openSession } from './site-session.js'

const SHOP = 'https://shop.example'
const BLOG = 'https://blog.example'
const PROVIDER = { id: 'mine', kind: 'openai', name: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' }
const containing = (text: string): unknown => expect.stringContaining(text)

describe('leuria sites', () => {
  it('lists the connected sites, as a table and as JSON, without anything secret', async () => {
    await using home = await temporaryHome()
    const options = { home: home.path }
    expect(await runCli(['sites'], options)).toMatchObject({ code: 0, stdout: containing('No site is connected.') })
    expect(JSON.parse((await runCli(['sites', '--json'], options)).stdout)).toEqual({ sites: [] })
    const engine = await startEngine(options)
    const token = await connectSite(engine, SHOP)
    const table = await runCli(['sites'], options)
    expect(table).toMatchObject({ code: 0, stderr: '' })
    expect(table.stdout).toMatch(/^SITE +NAME +AI +LAST USED/)
    expect(table.stdout).toMatch(/https:\/\/shop\.example +Test +default \(Demo AI \(no model\)\)/)
    const listed = await runCli(['sites', 'list', '--json'], options)
    expect(JSON.parse(listed.stdout)).toMatchObject({ sites: [{ origin: SHOP, app: 'Test' }] })
    expect(listed.stdout + table.stdout).not.toMatch(/tokenHash|uncollected/)
    expect(listed.stdout + table.stdout).not.toContain(token)
    await engine.stop()
  })
})

describe('leuria sites revoke', () => {
  it("ends the site's live sessions, closes its channels, and leaves everyone else's alone", async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path })
    const token = await connectSite(engine, SHOP)
    const other = await connectSite(engine, BLOG)
    const [session, spared] = [
      await openSession({ engine, origin: SHOP, token }),
      await openSession({ engine, origin: BLOG, token: other }),
    ]
    await session.act('approve')
    await session.until('ready')
    const closed = session.page.closed()

    expect(await runCli(['sites', 'revoke', 'shop.example'], { home: home.path })).toMatchObject({
      code: 0,
      stdout: `${SHOP} is disconnected. Its sessions have ended.\n`,
    })
    await session.until('cancelled')
    expect(await closed).toMatchObject({ code: 1000 })
    const refused = await callAs({ engine, path: `/session/${session.id}`, origin: SHOP, token })
    expect(refused).toMatchObject({ status: 401, json: { code: 'not_paired' } })
    expect(spared.page.open).toBe(true)
    expect((await callAs({ engine, path: `/session/${spared.id}`, origin: BLOG, token: other })).status).toBe(200)
    await engine.stop()
  })

  it('holds also when no engine runs', async () => {
    await using home = await temporaryHome()
    const first = await startEngine({ home: home.path })
    const token = await connectSite(first, SHOP)
    await first.stop()
    expect(await runCli(['sites', 'revoke', SHOP], { home: home.path })).toMatchObject({ code: 0 })
    const engine = await startEngine({ home: home.path })
    expect((await callAs({ engine, path: '/health', origin: SHOP, token })).json).toMatchObject({ paired: false })
    await engine.stop()
  })
})

describe('leuria sites use', () => {
  it("ends the site's live sessions, and the next one has the new AI", async () => {
    await using home = await temporaryHome()
    await writeFile(join(home.path, 'providers.json'), JSON.stringify({ version: 1, providers: [PROVIDER] }))
    const engine = await startEngine({ home: home.path })
    const token = await connectSite(engine, SHOP)
    const session = await openSession({ engine, origin: SHOP, token })
    await session.act('approve')
    await session.until('ready')
    const closed = session.page.closed()

    const used = await runCli(['sites', 'use', SHOP, 'llm:mine', '--model', 'vendor/big'], { home: home.path })
    expect(used).toMatchObject({ code: 0, stdout: containing('uses Mine') })
    await session.until('cancelled')
    expect(await closed).toMatchObject({ code: 1000 })
    const health = () => callAs({ engine, path: '/health', origin: SHOP, token })
    expect((await health()).json).toMatchObject({ paired: true, agent: 'Mine · big' })

    expect(await runCli(['sites', 'use', SHOP, 'default'], { home: home.path })).toMatchObject({ code: 0 })
    await expect.poll(async () => (await health()).json).toMatchObject({ agent: 'Demo AI (no model)' })
    await engine.stop()
  })

  it('does nothing to live sessions when nothing changes', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path })
    const token = await connectSite(engine, SHOP)
    const session = await openSession({ engine, origin: SHOP, token })
    await session.act('approve')
    await session.until('ready')
    expect(await runCli(['sites', 'use', SHOP, 'default'], { home: home.path })).toMatchObject({ code: 0 })
    // A change that comes after it was seen: the one before it would have been, too.
    await connectSite(engine, BLOG)
    expect(session.page.open).toBe(true)
    expect(await callAs({ engine, path: `/session/${session.id}`, origin: SHOP, token })).toMatchObject({
      json: { status: 'idle' },
    })
    await engine.stop()
  })
})

describe('mistakes', () => {
  it.each([
    [['sites', 'revoke', 'https://nobody.example'], /https:\/\/nobody\.example is not connected/],
    [['sites', 'revoke', 'ftp://shop.example'], /not a site's address/],
    [['sites', 'revoke'], /missing required argument/],
    [['sites', 'use', 'https://nobody.example', 'demo'], /https:\/\/nobody\.example is not connected/],
    [['sites', 'use', 'https://nobody.example', 'llm:gone/model'], /There is no AI "llm:gone\/model"/],
    [['sites', 'use', 'https://nobody.example', 'default', '--model', 'big'], /--model goes with an AI/],
    [['sites', 'use', 'https://nobody.example'], /missing required argument/],
    [['sites', 'forget', 'https://nobody.example'], /too many arguments|unknown command/],
  ])('%j: one plain line, and exit code 1', async (args, words) => {
    await using home = await temporaryHome()
    const refused = await runCli(args, { home: home.path })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(words)
    expect(refused.stderr).not.toContain('    at ')
  })
})
