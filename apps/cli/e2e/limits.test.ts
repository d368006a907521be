/** `leuria limits` and what `leuria sites` says of use: with and without an engine that runs. */
import { expect, it } from 'vitest'
import { runCli, startEngine, temporaryHome } from './cli-process.js'
import { callAs, connectSite } from './connect-site.js'

const SHOP = 'https://shop.example'
const containing = (text: string): unknown => expect.stringContaining(text)

it('holds a site to what the visitor allows, while the engine runs', async () => {
  await using home = await temporaryHome()
  const options = { home: home.path }
  const engine = await startEngine(options)
  const token = await connectSite(engine, SHOP)
  const prepare = () => callAs({ engine, path: '/session/prepare', origin: SHOP, token, body: {} })

  const set = await runCli(['limits', 'set', 'shop.example', '--sessions', '1', '--tokens-per-day', '100000'], options)
  expect(set).toMatchObject({ code: 0, stdout: `${SHOP}: 100,000 tokens a day, 1 session at once.\n`, stderr: '' })
  // The engine may see the change a moment later: until then sessions are made.
  const made: unknown[] = []
  await expect
    .poll(async () => {
      const { status, json } = await prepare()
      if (status === 201) made.push((json as { sessionId: unknown }).sessionId)
      return { status, json }
    })
    .toMatchObject({ status: 429, json: { code: 'over_budget', retryAfterS: 10 } })
  for (const id of made) await callAs({ engine, path: `/session/${String(id)}/close`, origin: SHOP, token, body: {} })
  expect((await prepare()).status).toBe(201)
  expect((await prepare()).status).toBe(429)

  expect(await runCli(['limits', 'set', SHOP, '--sessions', 'none'], options)).toMatchObject({
    stdout: `${SHOP}: 100,000 tokens a day.\n`,
  })
  await expect.poll(async () => (await prepare()).status).toBe(201)
  await engine.stop()
})

it('lists limits beside what was used, as a table and as JSON', async () => {
  await using home = await temporaryHome()
  const options = { home: home.path }
  expect((await runCli(['limits'], options)).stdout).toMatch(/^No site has limits/)
  const engine = await startEngine(options)
  const token = await connectSite(engine, SHOP)
  const post = (path: string, body: unknown = {}) => callAs({ engine, path, origin: SHOP, token, body })
  const { sessionId } = (await post('/session/prepare', { prompt: 'hello' })).json as { sessionId: string }
  await post(`/session/${sessionId}/approve`)
  await expect
    .poll(async () => (await callAs({ engine, path: `/session/${sessionId}`, origin: SHOP, token })).json)
    .toMatchObject({ status: 'idle' })
  await engine.stop()

  await runCli(['limits', 'set', SHOP, '--turns-per-hour', '20'], options)
  expect((await runCli(['limits'], options)).stdout).toMatch(
    /^SITE +TURNS\/HOUR +TOKENS\/DAY +SESSIONS +USED TODAY\nhttps:\/\/shop\.example +20 +- +- +1 turn, ~\d+ tokens\n$/,
  )
  expect(JSON.parse((await runCli(['limits', 'list', '--json'], options)).stdout)).toEqual({
    limits: [{ origin: SHOP, turnsPerHour: 20 }],
  })
  expect((await runCli(['sites'], options)).stdout).toMatch(/USED TODAY\n.*1 turn, ~\d+ tokens/)
  const { sites } = JSON.parse((await runCli(['sites', '--json'], options)).stdout) as { sites: unknown[] }
  expect(sites).toMatchObject([
    { origin: SHOP, limits: { turnsPerHour: 20 }, usage: [{ turns: 1, tokens: expect.any(Number) as unknown }] },
  ])

  expect(await runCli(['limits', 'clear', SHOP], options)).toMatchObject({ code: 0, stdout: `${SHOP}: no limits.\n` })
  expect(await runCli(['limits', 'clear', SHOP], options)).toMatchObject({
    code: 1,
    stderr: containing('has no limits'),
  })
})

it.each([
  [['set', SHOP, '--sessions', '5'], /--sessions is "5".*1 to 4/],
  [['set', SHOP, '--turns-per-hour', '0'], /--turns-per-hour is "0"/],
  [['set', SHOP, '--tokens-per-day', 'many'], /--tokens-per-day is "many"/],
  [['set', SHOP, '--sessions', '1.5'], /whole number/],
  [['set', SHOP], /at least one limit/],
  [['set', SHOP, '--sessions', '1'], /is not connected/],
  [['set', 'file:///etc', '--sessions', '1'], /not a site's address/],
  [['clear', SHOP], /has no limits/],
])('refuses %j with a plain line', async (args, words) => {
  await using home = await temporaryHome()
  const refused = await runCli(['limits', ...args], { home: home.path })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(words)
  expect(refused.stderr).not.toContain('    at ')
})
