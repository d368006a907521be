/** `leuria ai` and `leuria providers test` with services that really answer, and with an engine that runs meanwhile. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readEvents } from '@leuria/testing'
import { describe, expect, it } from 'vitest'
import { runCli, startEngine, temporaryHome } from './cli-process.js'
import { callAs, connectSite } from './connect-site.js'
import { KEY, openServices, type Services, TEAM } from './services.js'

const SHOP = 'https://shop.example'
const containing = (text: string): unknown => expect.stringContaining(text)
const matching = (words: RegExp): unknown => expect.stringMatching(words)

const leuria = (services: Services, ...args: string[]) => runCli(args, services.options)

async function configOf(services: Services): Promise<unknown> {
  return JSON.parse(await readFile(join(services.options.home, 'config.json'), 'utf8'))
}

describe('leuria ai', () => {
  it('lists what was found, what each can do and which is the default', async () => {
    await using services = await openServices()
    const { code, stdout, stderr } = await leuria(services, 'ai')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const words of [
      /^\* +demo +tools +your default$/m,
      /^ +llm:ollama\/llama3\.2:latest +tools, images +[\d,]+ +what Ollama uses$/m,
      /^ +llm:ollama\/tiny:1b +text +[\d,]+ +can't use a page's tools$/m,
      /^ +llm:ollama\/nomic-embed-text:latest +embeddings/m,
      /^ +llm:ollama\/huge:cloud .*not on this computer/m,
      /^ +llm:lmstudio\/qwen\/qwen3-4b +tools/m,
      /^ +llm:mine\/qwen3 /m,
      /^Embeddings for sites: ollama\/nomic-embed-text:latest$/m,
    ])
      expect(stdout).toMatch(words)
    expect(stdout).not.toContain(KEY)
  })

  it('says why one is unusable, the default included', async () => {
    await using services = await openServices()
    await services.lmStudio.close()
    expect((await leuria(services, 'ai', 'use', 'llm:lmstudio')).stdout).toContain("Right now it can't be used: ")
    await services.mine.close()
    const { code, stdout } = await leuria(services, 'ai', 'list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\* +llm:lmstudio .*LM Studio.+/m)
    expect(stdout).toMatch(/^ +llm:mine .*Mine.+/m)

    const json: unknown = JSON.parse((await leuria(services, 'ai', '--json')).stdout)
    expect(json).toMatchObject({
      ais: [
        { id: 'demo', kind: 'demo', default: false, usable: true },
        { id: 'llm:lmstudio', default: true, usable: false, problem: containing('LM Studio'), models: [] },
        {
          id: 'llm:ollama',
          name: 'Ollama',
          usable: true,
          service: { id: 'ollama', kind: 'ollama', baseUrl: services.ollama.url },
          model: 'llama3.2:latest',
          models: [
            { id: 'llama3.2:latest', type: 'chat', tools: true, images: true, local: true, default: true },
            { id: 'tiny:1b', tools: false },
            { type: 'embedding' },
            { local: false },
          ],
        },
        { id: 'llm:mine', usable: false, problem: containing('Mine') },
      ],
      embeddings: { choice: 'auto', current: { provider: 'ollama', model: 'nomic-embed-text:latest' } },
    })
    expect(JSON.stringify(json)).not.toMatch(/sk-secret|team-secret/)
  })
})

describe('leuria ai use', () => {
  it.each([
    [
      ['llm:ollama/llama3.2'],
      { agent: 'llm:ollama', models: { 'llm:ollama': 'llama3.2:latest' } },
      /Ollama · llama3\.2/,
    ],
    [['llm:mine', '--model', 'unlisted'], { agent: 'llm:mine', models: { 'llm:mine': 'unlisted' } }, /Mine · unlisted/],
    [['llm:ollama', '--model', 'tiny:1b'], { agent: 'llm:ollama' }, /can't use the tools of a page/],
    [['demo'], { agent: 'demo' }, /Demo AI/],
  ])('%j: saves it', async (args, saved, words) => {
    await using services = await openServices()
    expect(await leuria(services, 'ai', 'use', ...args)).toMatchObject({ code: 0, stdout: matching(words), stderr: '' })
    expect(await configOf(services)).toMatchObject(saved)
  })

  it('keeps the models of other AIs, and takes one back with auto', async () => {
    await using services = await openServices()
    await leuria(services, 'ai', 'use', 'llm:ollama/tiny:1b')
    await leuria(services, 'ai', 'use', 'llm:mine/qwen3')
    await leuria(services, 'ai', 'use', 'llm:ollama')
    expect(await configOf(services)).toMatchObject({
      agent: 'llm:ollama',
      models: { 'llm:ollama': 'tiny:1b', 'llm:mine': 'qwen3' },
    })
    await leuria(services, 'ai', 'use', 'llm:ollama', '--model', 'auto')
    expect(await configOf(services)).toMatchObject({ agent: 'llm:ollama', models: { 'llm:mine': 'qwen3' } })
    expect((await configOf(services)) as { models: object }).not.toHaveProperty(['models', 'llm:ollama'])
  })

  it.each([
    [['llm:nobody'], /There is no AI "llm:nobody"/],
    [['claude'], /There is no AI "claude"/],
    [['../../etc'], /There is no AI/],
    [['llm:ollama/gone'], /Ollama doesn't have the model "gone"\. It has: llama3\.2:latest/],
    [['llm:ollama/nomic-embed-text'], /only turns texts into numbers/],
    [['llm:ollama/tiny:1b', '--model', 'other'], /names a model already/],
    [['demo', '--model', 'other'], /demo AI has no models/],
    [[], /missing required argument/],
  ])('%j: refuses with a plain line and changes nothing', async (args, words) => {
    await using services = await openServices()
    const refused = await leuria(services, 'ai', 'use', ...args)
    expect(refused).toMatchObject({ code: 1, stderr: matching(words), stdout: '' })
    expect(refused.stderr).not.toContain('    at ')
    await expect(configOf(services)).rejects.toThrow('ENOENT')
  })

  it('ends the sessions of a running engine that were on the old one', async () => {
    await using services = await openServices()
    // Without a choice the engine would make one, and that ends sessions too.
    await leuria(services, 'ai', 'use', 'demo')
    const engine = await startEngine(services.options)
    const token = await connectSite(engine, SHOP)
    const { sessionId } = (await callAs({ engine, path: '/session/prepare', origin: SHOP, token, body: {} })).json as {
      sessionId: string
    }
    const stream = await fetch(`${engine.ready.url}/session/${sessionId}/stream`, {
      headers: { origin: SHOP, authorization: `Bearer ${token}` },
    })
    await callAs({ engine, path: `/session/${sessionId}/approve`, origin: SHOP, token, body: {} })
    await leuria(services, 'ai', 'use', 'llm:ollama')
    const events: string[] = []
    for await (const { event } of readEvents(stream.body ?? expect.fail('no stream'))) events.push(event)
    expect(events.at(-1)).toBe('cancelled')
    const health = await callAs({ engine, path: '/health', origin: SHOP, token })
    expect(health.json).toMatchObject({ agent: matching(/^Ollama/) })
    await engine.stop()
  })
})

describe('leuria ai test', () => {
  it.each([['demo'], ['llm:ollama'], ['llm:lmstudio'], ['llm:mine/qwen3']])('%s works with a page', async (id) => {
    await using services = await openServices()
    const { code, stdout, stderr } = await leuria(services, 'ai', 'test', id)
    expect({ code, stderr: stderr.replace(/^.+ is loading .+$/m, '').trim() }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/✓ Starts: .+\n✓ Uses a page's tool: .*\d{3}/)
  })

  it('tests the default without an id, and fails with exit code 1 and the reason', async () => {
    await using services = await openServices()
    await leuria(services, 'ai', 'use', 'llm:mine/qwen3')
    expect(await leuria(services, 'ai', 'test')).toMatchObject({ code: 0, stdout: containing('Testing Mine · qwen3') })
    expect(services.mine.exchanges).toHaveLength(2)

    services.mine.answer([{ say: 'I have no idea.' }])
    const guess = await leuria(services, 'ai', 'test', '--json')
    expect(guess.code).toBe(1)
    expect(JSON.parse(guess.stdout)).toMatchObject({
      ai: 'Mine · qwen3',
      ok: false,
      steps: [{ ok: true }, { ok: false, detail: containing('without asking the page') }],
    })
    await services.mine.close()
    expect(await leuria(services, 'ai', 'test')).toMatchObject({ code: 1, stdout: matching(/✗ Starts: .*Mine/) })
    expect(await leuria(services, 'ai', 'test', 'llm:nobody')).toMatchObject({
      code: 1,
      stderr: containing('There is no AI'),
    })
  })
})

describe('leuria ai embeddings', () => {
  it('shows and changes which model sites get, and a running engine follows at once', async () => {
    await using services = await openServices()
    const engine = await startEngine(services.options)
    const token = await connectSite(engine, SHOP)
    const named = async () => (await callAs({ engine, path: '/health', origin: SHOP, token })).json
    await expect.poll(named).toMatchObject({ embed: 'nomic-embed-text:latest' })

    expect(await leuria(services, 'ai', 'embeddings')).toMatchObject({ code: 0, stdout: containing('the first') })
    expect(await leuria(services, 'ai', 'embeddings', 'off')).toMatchObject({ code: 0, stdout: containing('are off') })
    await expect.poll(named).not.toHaveProperty('embed')
    expect(await leuria(services, 'ai', 'embeddings', 'llm:ollama/nomic-embed-text')).toMatchObject({
      code: 0,
      stdout: 'Sites get embeddings of nomic-embed-text:latest in ollama.\n',
    })
    expect(await configOf(services)).toMatchObject({ embed: { provider: 'ollama', model: 'nomic-embed-text:latest' } })
    await expect.poll(named).toMatchObject({ embed: 'nomic-embed-text:latest' })
    await leuria(services, 'ai', 'embeddings', 'auto')
    expect(JSON.parse((await leuria(services, 'ai', 'embeddings', '--json')).stdout)).toEqual({
      choice: 'auto',
      current: { provider: 'ollama', model: 'nomic-embed-text:latest' },
      models: [{ provider: 'ollama', model: 'nomic-embed-text:latest', loaded: false }],
    })
    await engine.stop()
  })

  it('refuses what is no embedding model of this computer', async () => {
    await using services = await openServices()
    for (const id of ['llm:ollama/llama3.2', 'llm:mine/qwen3', 'nothing'])
      expect(await leuria(services, 'ai', 'embeddings', id)).toMatchObject({
        code: 1,
        stderr: containing('llm:ollama/nomic-embed-text:latest'),
      })
  })
})

describe('leuria providers test', () => {
  it('asks with the key and the headers that were saved', async () => {
    await using services = await openServices()
    const { code, stdout } = await leuria(services, 'providers', 'test', 'mine')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Mine works: qwen3 answers, and it lists 1 model.\n' })
    expect(services.mine.exchanges[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-team': TEAM })
    expect((await leuria(services, 'providers', 'test', 'ollama')).stdout).toContain('Ollama works')
  })

  it.each([
    ['nobody', /There is no service "nobody"/],
    ['mine', /Mine doesn't work: .*(can't be reached|refused|running)/],
  ])('%s: exit code 1 and why', async (id, words) => {
    await using services = await openServices()
    await services.mine.close()
    const { code, stdout, stderr } = await leuria(services, 'providers', 'test', id)
    expect(code).toBe(1)
    expect(stdout + stderr).toMatch(words)
    expect(stdout + stderr).not.toContain(KEY)
  })
})

describe('leuria providers add --header', () => {
  it('saves headers, sends them in a session, and never prints them', async () => {
    await using home = await temporaryHome()
    await using services = await openServices()
    const options = { home: home.path }
    const args = ['providers', 'add', 'Mine', services.mine.url, '--key', KEY, '--header', `X-Team: ${TEAM}`]
    const added = await runCli([...args, '--header', 'x-title:Leuria: here'], options)
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(await readFile(join(home.path, 'providers.json'), 'utf8'))).toMatchObject({
      providers: [{ id: 'mine', headers: { 'x-team': TEAM, 'x-title': 'Leuria: here' } }],
    })
    const tested = await runCli(['ai', 'test', 'llm:mine/qwen3'], options)
    expect(tested.code).toBe(0)
    expect(services.mine.exchanges.at(-1)?.headers).toMatchObject({ 'x-team': TEAM, 'x-title': 'Leuria: here' })
    const shown = await Promise.all([
      runCli(['providers'], options),
      runCli(['providers', '--json'], options),
      runCli(['ai', '--json'], options),
    ])
    expect(shown[0].stdout).toContain('(with a key and headers of its own)')
    expect(JSON.parse(shown[1].stdout)).toMatchObject({ providers: [{ hasApiKey: true, hasHeaders: true }] })
    expect(added.stdout + shown.map(({ stdout }) => stdout).join('')).not.toMatch(/team-secret|sk-secret/)
  })

  it.each([
    ['no colon', /"Name: value"/],
    ['bad name: v-secret', /can't be the name/],
    ['x-a: v-secret\n', /^$/],
    ['x-a: v-secret\u0001', /has characters/],
    ['x-a:', /no value/],
    ['Host: v-secret', /can't be chosen/],
  ])('%j', async (header, words) => {
    await using home = await temporaryHome()
    const refused = await runCli(['providers', 'add', 'x', 'http://127.0.0.1:9', '--header', header], {
      home: home.path,
    })
    expect(refused.stderr.trim()).toMatch(words)
    expect(refused.stderr).not.toMatch(/v-secret| {4}at /)
    expect(refused.code).toBe(words.source === '^$' ? 0 : 1)
  })
})
