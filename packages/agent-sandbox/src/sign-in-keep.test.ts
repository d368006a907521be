/** A first sign-in, made inside the box: what of it comes home, and what never does. */
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BoxScene, boxScene, tell } from './box-scene.fixture.js'

let scene: BoxScene
const lines: string[] = []

beforeEach(async () => {
  scene = await boxScene()
  lines.length = 0
})
afterEach(() => scene.close())

const SIGN_IN = [{ home: '.agent/auth.json', at: 'agent/auth.json' }, { home: '.folder' }]
const at = (...parts: string[]): string => join(scene.visitorHome, ...parts)

/** Runs `code` in an agent that signs in, to its end. `auth` and `fs` are there for it. */
async function signIn(code: string, keepSignIn?: boolean): Promise<void> {
  const box = await scene.open({ log: (line) => lines.push(line), sandbox: false })
  const env = { AGENT_HOME: '{private}/agent' }
  const agent = await scene.launch(box, 'puppet', { signIn: SIGN_IN, env, keepSignIn })
  const start = `const fs = await load('node:fs'); const home = process.env.AGENT_HOME, auth = home + '/auth.json';`
  expect(await tell(agent, `${start} ${code}; return 'done'`)).toBe('done')
  await agent.kill()
}

const WRITE = `fs.mkdirSync(home); fs.writeFileSync(auth, 'token'); const f = process.env.HOME + '/.folder/deep'; fs.mkdirSync(f, { recursive: true }); fs.writeFileSync(f + '/key', 'k')`

describe('a first sign-in', () => {
  it('is kept for its user alone, and nothing else is', async () => {
    await signIn(`${WRITE}; fs.writeFileSync(home + '/other', 'x')`, true)
    expect(await readFile(at('.agent', 'auth.json'), 'utf8')).toBe('token')
    expect(await readFile(at('.folder', 'deep', 'key'), 'utf8')).toBe('k')
    expect((await stat(at('.agent', 'auth.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(at('.agent'))).mode & 0o777).toBe(0o700)
    expect(await readdir(at('.agent'))).toEqual(['auth.json'])
    expect(lines).toEqual([])
  })

  it('is not kept by a program that was started for anything else', async () => {
    await signIn(WRITE)
    expect((await readdir(scene.visitorHome)).sort()).toEqual(['.ssh'])
  })

  it('replaces nothing that came to be meanwhile', async () => {
    await signIn(
      `${WRITE}; fs.mkdirSync(${JSON.stringify(at('.agent'))}); fs.writeFileSync(${JSON.stringify(at('.agent', 'auth.json'))}, 'mine')`,
      true,
    )
    expect(await readFile(at('.agent', 'auth.json'), 'utf8')).toBe('mine')
    expect(await readFile(at('.folder', 'deep', 'key'), 'utf8')).toBe('k')
    expect(lines.join()).toMatch(/not kept: EEXIST/)
  })

  it.each([
    ['a link to a secret', `fs.mkdirSync(home); fs.symlinkSync(SECRET, auth)`, 'a link'],
    ['a link on its path', `fs.symlinkSync(SECRET + '/..', home); `, 'absent'],
    ['too large', `fs.mkdirSync(home); fs.writeFileSync(auth, 'x'.repeat(1048577))`, 'too large'],
    ['a pipe', `fs.mkdirSync(home); (await load('node:child_process')).execFileSync('mkfifo', [auth])`, 'no file'],
  ])('that is %s is not', async (_, code, why) => {
    const secret = JSON.stringify(at('.ssh', 'id'))
    await signIn(code.replaceAll('SECRET', secret), true)
    expect(await readdir(scene.visitorHome)).toEqual(['.ssh'])
    if (why !== 'absent') expect(lines.join()).toContain(why)
  })

  it.each([
    [50, true],
    [51, false],
  ])('of %i files is kept: %s', async (count, kept) => {
    const many = `const f = process.env.HOME + '/.folder'; fs.mkdirSync(f); for (let n = 0; n < ${count}; n++) fs.writeFileSync(f + '/' + n, 'x')`
    await signIn(many, true)
    expect(await readdir(at('.folder')).catch(() => [])).toHaveLength(kept ? count : 0)
  })

  it('of the largest size is kept', async () => {
    await signIn(`fs.mkdirSync(home); fs.writeFileSync(auth, 'x'.repeat(1048576))`, true)
    expect((await stat(at('.agent', 'auth.json'))).size).toBe(1_048_576)
  })

  it('does not go through a link in the home', async () => {
    await mkdir(at('elsewhere'))
    await symlink(at('elsewhere'), at('.agent'))
    await writeFile(at('note'), '')
    await signIn(WRITE, true)
    expect(await readdir(at('elsewhere'))).toEqual([])
  })
})
