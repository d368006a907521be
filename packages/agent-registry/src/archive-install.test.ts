/** Installing from a maker's archive: checksum, containment, damage and endless streams. */
import { execFileSync } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fakeClock } from '@leuria/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ARCHIVE,
  archiveAgent,
  type RegistryScene,
  registryScene,
  sha256,
  tarGz,
  tarOf,
  zipOf,
} from './registry-scene.fixture.js'

let scene: RegistryScene

beforeEach(async () => {
  scene = await registryScene()
})
afterEach(async () => {
  await scene.close()
})

const program = { path: 'bin/agent', content: '#!/bin/sh\necho hi\n', mode: 0o4777 }
const agents = (): Promise<string[]> => readdir(join(scene.home, 'agents')).catch(() => [])

/** Serves `bytes` as the agent's archive, with its checksum. */
function offer(ending: string, bytes: Buffer, more: Record<string, unknown> = {}): void {
  scene.serve(archiveAgent('agent', ending, { sha256: sha256(bytes), ...more }))
  scene.network.set(`${ARCHIVE}${ending}`, () => new Response(new Uint8Array(bytes)))
}

describe('an install from an archive', () => {
  it.each([
    ['.tar.gz', tarGz({ path: 'bin/', type: '5', mode: 0o777 }, program)],
    ['.tgz', tarGz(program)],
    ['.tar', tarOf(program)],
    ['.zip', zipOf({ path: 'bin/', mode: 0o40777 }, { ...program, mode: 0o104777 })],
    ['', Buffer.from(program.content)],
  ])('unpacks "%s" and can be started', async (ending, bytes) => {
    offer(ending, bytes, { args: ['acp'], env: { A: 'b' } })
    const agent = await (await scene.open()).install('agent')
    expect(agent).toMatchObject({ args: ['acp'], env: { A: 'b' }, origin: 'installed' })
    expect(execFileSync(agent.command, { encoding: 'utf8' })).toBe('hi\n')
    expect((await stat(agent.command)).mode & 0o7777).toBe(0o755)
    expect(await readdir(join(scene.home, 'agents', 'agent@1.0.0'))).toEqual(['leuria-agent.json', 'program'])
  })

  it('unpacks what the system has a program for, or names that program', async () => {
    const squeezed = execFileSync('bzip2', { input: tarOf(program) })
    offer('.tar.bz2', squeezed)
    const without = await scene.open({ env: { PATH: scene.folder } })
    await expect(without.install('agent')).rejects.toMatchObject({ code: 'needs_program' })
    await expect((await scene.open()).install('agent')).resolves.toMatchObject({ id: 'agent' })
  })

  it('tells how far it is', async () => {
    const bytes = tarGz(program)
    offer('.tgz', bytes)
    const seen: unknown[] = []
    await (await scene.open()).install('agent', { onProgress: ({ receivedBytes }) => seen.push(receivedBytes) })
    expect(Math.max(...seen.filter((each) => typeof each === 'number'), 0)).toBe(0)
    scene.network.set(
      `${ARCHIVE}.tgz`,
      () => new Response(new Uint8Array(bytes), { headers: { 'content-length': String(bytes.length) } }),
    )
    const registry = await scene.open()
    await registry.remove('agent')
    await registry.install('agent', { onProgress: ({ receivedBytes }) => seen.push(receivedBytes) })
    expect(seen).toContain(bytes.length)
  })

  it('keeps links that stay inside', async () => {
    offer('.tgz', tarGz(program, { path: 'lib/again', type: '2', link: '../bin/agent' }))
    await expect((await scene.open()).install('agent')).resolves.toMatchObject({ id: 'agent' })
  })

  it('without a checksum happens only when the visitor insists', async () => {
    offer('.tgz', tarGz(program), { sha256: undefined })
    const registry = await scene.open()
    await expect(registry.install('agent')).rejects.toMatchObject({ code: 'unverified' })
    expect(scene.asked.filter((url) => url.startsWith(ARCHIVE))).toEqual([])
    await expect(registry.install('agent', { insist: true })).resolves.toMatchObject({ id: 'agent' })
  })

  it('with a wrong checksum never happens, insisted or not', async () => {
    offer('.tgz', tarGz(program), { sha256: 'a'.repeat(64) })
    const registry = await scene.open()
    await expect(registry.install('agent', { insist: true })).rejects.toMatchObject({ code: 'wrong_checksum' })
    expect(await agents()).toEqual([])
  })

  it.each([
    ['a path above', tarGz(program, { path: '../evil', content: 'x' })],
    ['a path above, later', tarGz(program, { path: 'a/../../evil', content: 'x' })],
    ['an absolute path', tarGz(program, { path: '/tmp/leuria-evil', content: 'x' })],
    ['a path with a drive', tarGz(program, { path: 'C:evil', content: 'x' })],
    ['a path with backslashes', tarGz(program, { path: '..\\evil', content: 'x' })],
    ['a link out', tarGz(program, { path: 'out', type: '2', link: '../../..' })],
    ['a link to an absolute path', tarGz(program, { path: 'out', type: '2', link: '/etc' })],
    [
      'a file written through a link',
      tarGz(program, { path: 'd', type: '2', link: '/tmp' }, { path: 'd/x', content: 'x' }),
    ],
    [
      'links that lead out only together',
      tarGz(
        program,
        { path: 'a/b/', type: '5' },
        { path: 'a/b/top', type: '2', link: '../..' },
        { path: 'a/b/out', type: '2', link: 'top/../x' },
      ),
    ],
    ['a hard link out', tarGz(program, { path: 'out', type: '1', link: '../../../../../../etc/hosts' })],
    ['a device', tarGz(program, { path: 'dev', type: '3' })],
    ['a pipe', tarGz(program, { path: 'pipe', type: '6' })],
    ['a cut archive', tarGz(program).subarray(0, 40)],
    ['no archive at all', Buffer.from('<html>')],
    ['an archive without the program', tarGz({ path: 'else', content: 'x' })],
    ['a folder where the program should be', tarGz({ path: 'bin/agent/', type: '5' })],
  ])('refuses %s', async (_, bytes) => {
    offer('.tar.gz', bytes)
    await expect((await scene.open()).install('agent')).rejects.toMatchObject({ code: 'bad_package' })
    expect(await agents()).toEqual([])
    expect(await readdir(scene.folder)).not.toContain('evil')
  })

  it.each([
    ['a path above', zipOf(program, { path: '../evil' })],
    ['an absolute path', zipOf(program, { path: '/tmp/leuria-evil' })],
    ['a link', zipOf(program, { path: 'out', content: '/etc', mode: 0o120777 })],
    ['the same file twice', zipOf(program, program)],
    ['a cut archive', zipOf(program).subarray(0, 60)],
  ])('refuses %s in a zip', async (_, bytes) => {
    offer('.zip', bytes)
    await expect((await scene.open()).install('agent')).rejects.toMatchObject({ code: 'bad_package' })
    expect(await readdir(scene.folder)).not.toContain('evil')
  })

  it.each(['../agent', '/bin/sh', '..\\agent', '.', ''])('refuses a program outside: "%s"', async (cmd) => {
    offer('.tar.gz', tarGz(program), { cmd })
    await expect((await scene.open()).install('agent')).rejects.toMatchObject({ code: 'bad_package' })
  })

  it.each([
    ['nobody answers', () => Promise.reject(new TypeError('fetch failed')), 'offline'],
    ['there is none', () => new Response('no', { status: 404 }), 'install_failed'],
  ])('says so when %s', async (_, answer, code) => {
    offer('.tar.gz', tarGz(program))
    scene.network.set(`${ARCHIVE}.tar.gz`, answer)
    await expect((await scene.open()).install('agent')).rejects.toMatchObject({ code })
    expect(await agents()).toEqual([])
  })

  it('ends when nothing more comes, and when it is called off', async () => {
    const clock = fakeClock()
    let askedForMore = (): void => undefined
    const stalls = (): Response =>
      new Response(new ReadableStream({ pull: () => askedForMore() }, { highWaterMark: 0 }))
    offer('.tar.gz', tarGz(program))
    scene.network.set(`${ARCHIVE}.tar.gz`, stalls)
    const registry = await scene.open({ clock })
    const reading = (): Promise<void> => new Promise((resolve) => (askedForMore = resolve))
    let waits = reading()
    const stalled = registry.install('agent')
    stalled.catch(() => undefined)
    await waits
    await clock.advanceAsync(29_999)
    await clock.advanceAsync(2)
    await expect(stalled).rejects.toMatchObject({ code: 'offline' })
    const abort = new AbortController()
    waits = reading()
    const cancelled = registry.install('agent', { signal: abort.signal })
    cancelled.catch(() => undefined)
    await waits
    abort.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
    expect(await agents()).toEqual([])
  })

  it('is not offered where nothing fits', async () => {
    offer('.tar.gz', tarGz(program))
    const registry = await scene.open({ computer: { platform: 'linux', arch: 'mips' } })
    expect((await registry.list()).agents[0]).toMatchObject({ id: 'agent', ways: [] })
    await expect(registry.install('agent')).rejects.toMatchObject({ code: 'not_for_this_computer' })
  })
})
