/** A box counts only when it was tried and held: broken, leaking and missing sandboxes are told apart. */
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BoxScene, boxScene, machineSandbox, nextLine } from './box-scene.fixture.js'

const machine = machineSandbox()
let scene: BoxScene

beforeEach(async () => {
  scene = await boxScene()
})
afterEach(async () => {
  await scene.close()
})

/** A program that stands in for bwrap: takes its options, then does `body` with the command in "$@". */
async function fakeSandbox(body: string): Promise<string> {
  const path = join(scene.scratchParent, 'bwrap')
  await writeFile(path, `#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done\nshift\n${body}\n`)
  await chmod(path, 0o755)
  return path
}

describe.runIf(process.platform === 'linux')('a sandbox', () => {
  it('that does nothing does not count', async () => {
    const box = await scene.open({ bubblewrap: await fakeSandbox('exec "$@"') })
    expect(box).toMatchObject({ kind: 'none', proof: { holds: false, fault: 'home_readable' } })
  })

  it('that fails says so in its own words', async () => {
    const box = await scene.open({
      bubblewrap: await fakeSandbox('echo "No permissions to create namespace" >&2; exit 1'),
    })
    expect(box.proof).toMatchObject({
      fault: 'not_started',
      message: expect.stringContaining('No permissions') as unknown,
    })
  })

  it('that is not there is named', async () => {
    const box = await scene.open({ bubblewrap: join(scene.scratchParent, 'none') })
    expect(box.proof).toMatchObject({ fault: 'no_sandbox', message: expect.stringContaining('bubblewrap') as unknown })
  })

  it('that is switched off does not count', async () => {
    const box = await scene.open({ sandbox: false })
    expect(box).toMatchObject({ kind: 'none', proof: { fault: 'switched_off' } })
    expect((await scene.launch(box, 'puppet')).boxed).toBe(false)
  })

  it('can not be proven around a home in which nothing can be put', async () => {
    const home = join(scene.scratchParent, 'file')
    await writeFile(home, '')
    expect((await scene.open({ visitorHome: home })).proof).toMatchObject({ fault: 'probe_failed' })
  })
})

describe.skipIf(!machine.sandbox)(`a sandbox that leaks${machine.why && ` (skipped: ${machine.why})`}`, () => {
  /** The real one, with options put in front of its command: what they show again is seen. */
  const leaky = (options: string): Promise<string> => {
    const body = `#!/bin/sh\nreal=$(PATH=/usr/bin:/usr/local/bin:/bin command -v bwrap)\n`
    const path = join(scene.scratchParent, 'bwrap')
    const insert = `n=$#; while [ "$n" -gt 0 ]; do a="$1"; shift; n=$((n-1)); [ "$a" = "--" ] && { set -- "$@" ${options}; }; set -- "$@" "$a"; done\nexec "$real" "$@"\n`
    return writeFile(path, body + insert, { mode: 0o755 }).then(() => path)
  }

  it('does not count when the home can be listed', async () => {
    const box = await scene.open({ bubblewrap: await leaky(`--ro-bind ${scene.visitorHome} ${scene.visitorHome}`) })
    expect(box.proof).toMatchObject({ holds: false, fault: 'home_readable' })
  })

  it('does not count when other processes can be seen', async () => {
    const box = await scene.open({ bubblewrap: await leaky('--bind /proc /proc') })
    expect(box.proof).toMatchObject({ holds: false, fault: 'processes_visible' })
  })

  it('starts no program when it holds at first and leaks later', async () => {
    const path = join(scene.scratchParent, 'bwrap')
    await writeFile(path, '#!/bin/sh\nexec /usr/bin/env bwrap "$@"\n', { mode: 0o755 })
    const box = await scene.open({ bubblewrap: path })
    expect(box.kind).toBe('bubblewrap')
    await fakeSandbox('exec "$@"')
    await expect(scene.launch(box, 'polite').then(nextLine)).rejects.toMatchObject({ code: 'failed' })
  })

  it('leaves nothing in the home folder', async () => {
    await mkdir(join(scene.visitorHome, 'notes'))
    const box = await scene.open()
    await Promise.all([scene.launch(box, 'puppet'), scene.launch(box, 'puppet')])
    expect((await readdir(scene.visitorHome)).sort()).toEqual(['.ssh', 'notes'])
  })
})
