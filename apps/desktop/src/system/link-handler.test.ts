/** The two files by which a Linux desktop knows the program: what stands in them, and that nothing else is touched. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { desktopEntry, registerHandler, unregisterHandler, withDefault } from './link-handler.js'

const LINE = 'x-scheme-handler/leuria=leuria-desktop.desktop;'

describe('mimeapps.list', () => {
  it.each([
    ['', `[Default Applications]\n${LINE}\n`],
    ['[Added Associations]\na=b;\n', `[Added Associations]\na=b;\n[Default Applications]\n${LINE}\n`],
    ['[Default Applications]\ntext/html=x.desktop;\n', `[Default Applications]\n${LINE}\ntext/html=x.desktop;\n`],
    [`[Default Applications]\n${LINE}\n`, `[Default Applications]\n${LINE}\n`],
    ['[Default Applications]\nx-scheme-handler/leuria=old.desktop;\n', `[Default Applications]\n${LINE}\n`],
  ])('%j gets the program', (before, after) => {
    expect(withDefault(before, 'leuria-desktop.desktop')).toBe(after)
  })

  it.each([
    [`[Default Applications]\n${LINE}\ntext/html=x.desktop;\n`, '[Default Applications]\ntext/html=x.desktop;\n'],
    ['[Default Applications]\nx-scheme-handler/leuria=other.desktop;\n', null],
    ['', ''],
  ])('%j is rid of it, and of nobody else', (before, after) => {
    expect(withDefault(before, null)).toBe(after ?? before)
  })
})

describe('the desktop entry', () => {
  const exec = (file: string, env: NodeJS.ProcessEnv = {}): string =>
    /^Exec=(.*)$/m.exec(desktopEntry({ node: '/usr/bin/node', file, env }))?.[1] ?? ''

  it('starts the program with the link, and keeps a home of its own', () => {
    expect(exec('/opt/leuria-desktop.js')).toBe('/usr/bin/node /opt/leuria-desktop.js %u')
    expect(exec('/a.js', { LEURIA_HOME: '/home/me/.other' })).toBe(
      'env LEURIA_HOME=/home/me/.other /usr/bin/node /a.js %u',
    )
  })

  it('quotes what a path may hold', () => {
    expect(exec('/my files/100%/$x "y".js')).toBe('/usr/bin/node "/my files/100%%/\\\\$x \\\\"y\\\\".js" %u')
  })
})

describe('registering', () => {
  let home = ''
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'leuria-register-'))
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  it('writes two files of the user, and unregistering leaves things as they were', async () => {
    const list = join(home, '.config', 'mimeapps.list')
    const before = '[Default Applications]\ntext/html=firefox.desktop;\n'
    await mkdir(join(home, '.config'))
    await writeFile(list, before)
    const written = await registerHandler({ node: '/usr/bin/node', file: '/opt/x.js', env: { HOME: home } })
    expect(written).toEqual([join(home, '.local', 'share', 'applications', 'leuria-desktop.desktop'), list])
    expect(await readFile(written[0] ?? '', 'utf8')).toContain('MimeType=x-scheme-handler/leuria;')
    expect(await readFile(list, 'utf8')).toContain(LINE)
    await unregisterHandler({ HOME: home })
    expect(await readFile(list, 'utf8')).toBe(before)
    await expect(readFile(written[0] ?? '')).rejects.toThrow()
    await unregisterHandler({ HOME: home })
  })

  it('goes by the variables for these folders, if they are absolute', async () => {
    const env = { HOME: home, XDG_DATA_HOME: join(home, 'd'), XDG_CONFIG_HOME: 'relative' }
    const written = await registerHandler({ node: '/n', file: '/f', env })
    expect(written).toEqual([
      join(home, 'd', 'applications', 'leuria-desktop.desktop'),
      join(home, '.config', 'mimeapps.list'),
    ])
  })
})
