/** `leuria doctor`: what it finds, what it says to do, and how it ends. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type AgentWorld, openAgentWorld } from './agent-world.js'
import { type Finished, runCli, startEngine } from './cli-process.js'
import { openServices } from './services.js'

const finding = z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), fix: z.optional(z.string()) })
const report = z.object({ ok: z.boolean(), findings: z.array(finding) })

async function examine(options: AgentWorld['options']): Promise<z.infer<typeof report> & { code: Finished['code'] }> {
  const { code, stdout, stderr } = await runCli(['doctor', '--json'], options)
  expect(stderr).toBe('')
  return { code, ...report.parse(JSON.parse(stdout)) }
}

const withPort = (world: AgentWorld, port: number): AgentWorld['options'] => ({
  ...world.options,
  env: { ...world.options.env, LEURIA_PORT: String(port) },
})

describe('leuria doctor', () => {
  it('has a line for everything, and an exit code that goes with them', async () => {
    await using world = await openAgentWorld()
    const { code, ok, findings } = await examine(world.options)
    expect(findings.map(({ name }) => name)).toEqual(['Node.js', 'Home folder', 'Port', 'Services', 'Box', 'Agents'])
    // Whether there is a sandbox is the machine's business.
    expect(findings.filter(({ name }) => name !== 'Box').every((each) => each.ok)).toBe(true)
    expect(findings.find(({ name }) => name === 'Box')?.detail).toMatch(/is active\.|There is no sandbox/)
    expect(code).toBe(ok ? 0 : 1)
    const { stdout } = await runCli(['doctor'], world.options)
    expect(stdout).toMatch(/^✓ Node\.js: \d+\.\d+/m)
    expect(stdout).toMatch(/^[✓✗] Box: /m)
  })

  it('says who holds the port', async () => {
    await using world = await openAgentWorld()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { code, findings } = await examine(withPort(world, port))
    server.close()
    expect(code).toBe(1)
    expect(findings.find(({ name }) => name === 'Port')).toMatchObject({
      ok: false,
      detail: expect.stringMatching(new RegExp(`^${port} is taken: `)) as unknown,
      fix: expect.stringContaining('--port') as unknown,
    })
  })

  it('is content with a port that Leuria itself has', async () => {
    await using world = await openAgentWorld()
    const engine = await startEngine(world.options)
    const { findings } = await examine(withPort(world, engine.ready.port))
    await engine.stop()
    const words = expect.stringMatching(/Leuria .* is running there already/) as unknown
    expect(findings.find(({ name }) => name === 'Port')).toMatchObject({ ok: true, detail: words })
  })

  it('finds files that others can read, and names the command that mends it', async () => {
    await using world = await openAgentWorld()
    await mkdir(world.home, { mode: 0o700 })
    const path = join(world.home, 'providers.json')
    await writeFile(path, '{"version":1,"providers":[]}')
    await chmod(path, 0o644)
    const { code, findings } = await examine(world.options)
    expect(code).toBe(1)
    expect(findings[1]).toEqual({
      name: 'Home folder',
      ok: false,
      detail: `Other users of this computer can look into ${path}.`,
      fix: `chmod go= '${path}'`,
    })
  })

  it('finds services that do not answer', async () => {
    await using services = await openServices()
    await services.mine.close()
    const { code, findings } = await examine(services.options)
    expect(code).toBe(1)
    expect(findings.find(({ name }) => name === 'LM Studio')).toMatchObject({ ok: true })
    expect(findings.find(({ name }) => name === 'Mine')).toMatchObject({
      ok: false,
      fix: expect.stringContaining('leuria providers test mine') as unknown,
    })
  })

  it('finds an agent whose program is gone', async () => {
    await using world = await openAgentWorld()
    const program = join(world.folder, 'mine')
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
    await runCli(['agents', 'add', 'mine', '--command', program], world.options)
    await chmod(program, 0o644)
    const { code, findings } = await examine(world.options)
    expect(code).toBe(1)
    const fix = expect.stringContaining('leuria agents add mine') as unknown
    expect(findings.find(({ name }) => name === 'mine')).toMatchObject({ ok: false, fix })
  })

  it('answers a wrong setting with the others looked at all the same', async () => {
    await using world = await openAgentWorld()
    const options = { ...world.options, env: { ...world.options.env, LEURIA_PORT: 'many' } }
    const { code, findings } = await examine(options)
    expect(code).toBe(1)
    expect(findings).toHaveLength(6)
    expect(findings[2]).toMatchObject({
      ok: false,
      detail: expect.stringContaining('LEURIA_PORT is "many"') as unknown,
    })
  })
})
