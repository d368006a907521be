/** `leuria start` as a program that other programs drive. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@leuria/tooling/free-port'
import { describe, expect, it } from 'vitest'
import { runCli, startEngine, temporaryHome } from './cli-process.js'
import { askAs, callAs, connectSite } from './connect-site.js'

/** Typed as unknown: matchers are `any`. */
const containing = (text: string): unknown => expect.stringContaining(text)

const SHOP = 'https://shop.example'

describe('leuria start --json', () => {
  it('says when it is ready, and ends cleanly on SIGINT and SIGTERM', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      await using home = await temporaryHome()
      const engine = await startEngine({ home: home.path })
      expect(engine.ready).toMatchObject({
        event: 'ready',
        agent: 'Demo AI (no model)',
        url: `http://127.0.0.1:${engine.ready.port}`,
      })
      const health = await callAs({ engine, path: '/health', origin: SHOP })
      expect(health.json).toMatchObject({ leuria: engine.ready.version, ok: true, approvals: 'page', paired: false })
      expect(await engine.stop(signal)).toMatchObject({ code: 0 })
    }
  })

  it('tells of questions and answers', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path })
    await connectSite(engine, SHOP)
    await engine.waitFor((event) => event.event === 'pairing_decided')
    expect(engine.events.slice(1)).toMatchObject([
      {
        event: 'pairing',
        origin: SHOP,
        app: 'Test',
        approveUrl: containing(`${engine.ready.url}/connect/`),
      },
      { event: 'pairing_decided', origin: SHOP, allowed: true },
    ])
    await engine.stop()
  })
})

describe('the port', () => {
  it('comes from the flag, else the environment, else config.json, and is never written back', async () => {
    await using home = await temporaryHome()
    const [byFlag, byEnvironment, byFile] = [await freePort(), await freePort(), await freePort()]
    const config = JSON.stringify({ version: 1, port: byFile, mine: 'kept' })
    await writeFile(join(home.path, 'config.json'), config)
    const env = { LEURIA_PORT: String(byEnvironment) }
    for (const [options, port] of [
      [{ env, args: ['--port', String(byFlag)] }, byFlag],
      [{ env, args: [] }, byEnvironment],
      [{ args: [] }, byFile],
    ] as const) {
      const engine = await startEngine({ home: home.path, ...options })
      expect(engine.ready.port).toBe(port)
      await engine.stop()
    }
    expect(await readFile(join(home.path, 'config.json'), 'utf8')).toBe(config)
  })

  it('when it is taken by Leuria, says so and exits with 1', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path })
    const second = await runCli(['start', '--json', '--port', String(engine.ready.port)], { home: home.path })
    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(/Leuria 0\.1\.0 is running there already/)
    expect(JSON.parse(second.stdout)).toMatchObject({ event: 'error', code: 'EADDRINUSE' })
    expect(second.stderr).not.toContain('    at ')
    await engine.stop()
  })

  it('when it is taken by another program, names it where the system tells', async () => {
    await using home = await temporaryHome()
    const other = createServer((_, response) => response.end('no')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const refused = await runCli(['start', '--port', String(port)], { home: home.path })
    other.close()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(process.platform === 'linux' ? `process ${process.pid}` : 'another program')
  })
})

describe('mistakes', () => {
  it.each([
    [['start', '--port', 'many'], /port/i],
    [['start', '--port', '70000'], /65535/],
    [['start', '--agent', 'llm:nobody/none'], /There is no AI/],
    [['start', '--agent', '../../etc'], /There is no AI/],
    [['start', '--loud'], /unknown option/],
    [['dance'], /unknown command|too many arguments/],
  ])('%j: says what is wrong in a line or two and exits with 1', async (args, words) => {
    await using home = await temporaryHome()
    const refused = await runCli(args, { home: home.path })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(words)
    expect(refused.stderr).not.toContain('    at ')
  })

  it('refuses a LEURIA_PORT that is no port', async () => {
    await using home = await temporaryHome()
    const refused = await runCli(['start'], { home: home.path, env: { LEURIA_PORT: 'seven' } })
    expect(refused).toMatchObject({ code: 1, stderr: containing('LEURIA_PORT') })
  })
})

describe('kill -9', () => {
  it('leaves no site connected whose page never got its token', async () => {
    await using home = await temporaryHome()
    const engine = await startEngine({ home: home.path })
    const gone = new AbortController()
    const { claimed, url } = await askAs(engine, SHOP, { signal: gone.signal })
    gone.abort()
    await expect(claimed).rejects.toThrow()
    const body = { allow: true, key: url.searchParams.get('key') }
    await callAs({ engine, path: `${url.pathname}/decide`, origin: engine.ready.url, body })
    const onDisk = () => readFile(join(home.path, 'grants.json'), 'utf8')
    expect(await onDisk()).toContain(SHOP)
    await engine.stop('SIGKILL')

    const next = await startEngine({ home: home.path })
    expect((await runCli(['sites'], { home: home.path })).stdout).toContain('No site is connected.')
    expect(await onDisk()).not.toContain(SHOP)
    await next.stop()
  })

  const ROUNDS = Number(process.env.LEURIA_TEST_ROUNDS ?? 4)
  const SITES = 6

  it(
    `loses no acknowledged grant and leaves no half file, ${ROUNDS} times`,
    { timeout: 60_000 + ROUNDS * 15_000 },
    async () => {
      await using home = await temporaryHome()
      const tokens = new Map<string, string>()
      for (let round = 0; round < ROUNDS; round += 1) {
        const engine = await startEngine({ home: home.path })
        const connecting = Array.from({ length: SITES }, async (_, site) => {
          const origin = `https://site-${round}-${site}.example`
          tokens.set(origin, await connectSite(engine, origin))
          // Somewhere in the middle of the others' writes.
          if (site === round % SITES) await engine.stop('SIGKILL')
        })
        await Promise.allSettled(connecting)
        await engine.stop('SIGKILL')
      }
      const engine = await startEngine({ home: home.path })
      for (const [origin, token] of tokens) {
        const health = await callAs({ engine, path: '/health', origin, token })
        expect(health.json).toMatchObject({ paired: true })
      }
      expect(tokens.size).toBeGreaterThanOrEqual(ROUNDS)
      await engine.stop()
      expect((await readdir(home.path)).filter((name) => name.includes('.tmp') || name.includes('damaged'))).toEqual([])
    },
  )
})
