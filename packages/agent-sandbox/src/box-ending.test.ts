/** How a program's life in its box ends, and that nothing is left of it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentError } from '@leuria/agent'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BoxScene, boxScene, nextLine, tell } from './box-scene.fixture.js'

let scene: BoxScene

beforeEach(async () => {
  scene = await boxScene()
})
afterEach(async () => {
  await scene.close()
})

/** Folders of sessions. */
function sessionFolders(): string[] {
  return readdirSync(scene.scratchParent).flatMap((root) => readdirSync(join(scene.scratchParent, root)))
}

/** Programs on this machine that have `text` in their command line. */
function running(text: string): number {
  const list = execFileSync('ps', ['-axww', '-o', 'stat=,args='], { encoding: 'utf8' }).split('\n')
  return list.filter((line) => line.includes(text) && !line.startsWith('Z')).length
}

/** A program that was killed stands in the system's list until the system comes to it. */
async function expectGone(text: string): Promise<void> {
  await expect.poll(() => running(text)).toBe(0)
}

describe.each([{ sandbox: true }, { sandbox: false }])('an ending (sandbox: $sandbox)', ({ sandbox }) => {
  it('is quick for a program that ends with its input', async () => {
    const agent = await scene.launch(await scene.open({ sandbox }), 'puppet')
    await tell(agent, 'return 1')
    await agent.kill()
    expect(await agent.exited).toEqual({ code: 0, signal: null })
    await expect.poll(sessionFolders).toEqual([])
  })

  it('lets a program tidy up that ends at SIGTERM', async () => {
    const agent = await scene.launch(await scene.open({ sandbox }), 'polite')
    expect(await nextLine(agent)).toBe('ready')
    const goodbye = nextLine(agent)
    await agent.kill()
    expect(await goodbye).toBe('tidied up')
    expect(await agent.exited).toEqual({ code: 7, signal: null })
  })

  it('comes by force for a program that takes no hint', async () => {
    const agent = await scene.launch(await scene.open({ sandbox }), 'stubborn')
    await nextLine(agent)
    const [first, second] = [agent.kill(), agent.kill()]
    await Promise.all([first, second])
    expect(await agent.exited).toEqual({ code: null, signal: 'SIGKILL' })
    await expectGone(join(scene.agentFolder, 'stubborn.mjs'))
    await expect.poll(sessionFolders).toEqual([])
  })

  it('takes along what the program started, in its group or out of it, when it ends by itself', async () => {
    const agent = await scene.launch(await scene.open({ sandbox }), 'puppet')
    const start = (detached: boolean): string =>
      `const { spawn } = await load('node:child_process'); spawn(process.execPath, ['${join(scene.agentFolder, 'stubborn.mjs')}'], { detached: ${detached}, stdio: 'ignore' }).unref(); return 1`
    await tell(agent, start(false))
    await tell(agent, start(true))
    expect(running(join(scene.agentFolder, 'stubborn.mjs'))).toBe(2)
    agent.stdin.end()
    await agent.exited
    await agent.kill()
    await expectGone(join(scene.agentFolder, 'stubborn.mjs'))
    await expect.poll(sessionFolders).toEqual([])
  })

  it('comes for all with the box', async () => {
    const box = await scene.open({ sandbox })
    await Promise.all([scene.launch(box, 'polite'), scene.launch(box, 'puppet')])
    await Promise.all([box.close(), box.close()])
    await expectGone(scene.agentFolder)
    expect(readdirSync(scene.scratchParent)).toEqual([])
  })
})

describe('a start that fails', () => {
  it.each([
    { what: 'no such program on the path', command: 'no-such-agent' },
    { what: 'no such file', command: '/nowhere/agent' },
    { what: 'a file that is no program', command: fileURLToPath(import.meta.url) },
    { what: 'a shell line', command: 'node -e 1' },
  ])('says that the program is not there: $what', async ({ command }) => {
    const launched = scene.launch(await scene.open(), 'puppet', { command })
    await expect(launched).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(command) as unknown,
    })
    await expect.poll(sessionFolders).toEqual([])
  })

  it.each([{ sandbox: true }, { sandbox: false }])(
    'leaves nothing when it is called off ($sandbox)',
    async (options) => {
      const box = await scene.open(options)
      const early = scene.launch(box, 'puppet', { signal: AbortSignal.abort() })
      await expect(early).rejects.toThrow(AgentError)
      const abort = new AbortController()
      const during = scene.launch(box, 'stubborn', { signal: abort.signal })
      abort.abort()
      await expect(during).rejects.toThrow(AgentError)
      await expect.poll(sessionFolders).toEqual([])
      await expectGone(scene.agentFolder)
    },
  )

  it.each(['../out', '/etc/passwd', 'a/../../b', '.', ''])('writes no file outside the folder: "%s"', async (path) => {
    const launched = scene.launch(await scene.open(), 'puppet', { files: { [path]: 'x' } })
    await expect(launched).rejects.toMatchObject({ code: 'failed' })
    const signedIn = scene.launch(await scene.open(), 'puppet', { signIn: [{ home: path }] })
    await expect(signedIn).rejects.toMatchObject({ code: 'failed' })
    await expect.poll(sessionFolders).toEqual([])
  })

  it('refuses to show the home folder', async () => {
    for (const readable of [scene.visitorHome, join(scene.visitorHome, '..'), '/'])
      await expect(scene.open({ readable: [readable] })).rejects.toMatchObject({ code: 'failed' })
  })
})

describe('what dead processes left', () => {
  it('is removed at the next start, and nothing else', async () => {
    const gone = 2 ** 22 + 1 // above the largest process id Linux gives
    const names = [
      `leuria-box-${gone}-0123456789ab`,
      `leuria-box-${process.pid}-0123456789ab`,
      `leuria-box-${process.ppid}-0123456789ab`,
      'leuria-box-notes',
    ]
    for (const name of names) await mkdir(join(scene.scratchParent, name, 's-1', 'private'), { recursive: true })
    await writeFile(join(scene.visitorHome, `.leuria-canary-${gone}-1`), 'x')
    await scene.open()
    const left = await readdir(scene.scratchParent)
    expect(names.filter((name) => left.includes(name))).toEqual(names.slice(2))
    expect(await readdir(scene.visitorHome)).toEqual(['.ssh'])
  })
})

describe('a program with nothing else to do', () => {
  it.each(['sandbox', 'none'])('stays until its agents are gone (%s)', (sandbox) => {
    const program = fileURLToPath(new URL('box-once.fixture.ts', import.meta.url))
    const args = ['--conditions=@leuria/source', '--import', 'tsx', program, scene.scratchParent, sandbox]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('done\n')
    expect(readdirSync(scene.scratchParent)).toEqual([])
  })
})

describe('200 sessions in a row', () => {
  it('leave no process, folder or descriptor behind', async () => {
    const box = await scene.open({ sandbox: false })
    const one = async (): Promise<void> => {
      const agent = await scene.launch(box, 'puppet', { command: '/bin/cat', args: [] })
      await agent.kill()
    }
    await one()
    const descriptors = (): number => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0)
    const before = descriptors()
    for (let round = 0; round < 40; round += 1) await Promise.all([one(), one(), one(), one(), one()])
    expect(descriptors()).toBeLessThanOrEqual(before + 2)
    await expect.poll(sessionFolders).toEqual([])
    await expectGone(scene.scratchParent)
  }, 60_000)
})
