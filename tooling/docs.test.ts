import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  anchorsOf,
  codeBlocks,
  exportedValues,
  fileOf,
  inlineScripts,
  namedAnchors,
  namedElements,
  namedPaths,
  namedScripts,
  pathExists,
} from './docs.js'
import { type Example, runExample, scriptErrors, typeErrors } from './readme-examples.js'
import { ROOT, readManifest, readWorkspace } from './workspace-facts.js'

const GUIDES = readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...GUIDES]
const workspace = readWorkspace()
const packages = workspace.filter((pkg) => pkg.folder.startsWith('packages/'))

const readText = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '')
const readmeOf = (folder: string) => readText(join(folder, 'README.md'))

/** Every file a fresh clone or a build has, `dist` by name only. */
function allFiles(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', '.git', '.turbo', '.tools'].includes(entry.name)) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() && entry.name !== 'dist' ? allFiles(path) : [path]
  })
}

/** `dist` is made by the build and `.tools` by the first command: a document may name what they'll hold. */
function isGenerated(path: string): boolean {
  return /(^|\/)dist(\/|$)/.test(path) || path.startsWith('.tools')
}

describe.each(DOCUMENTS)('%s', (document) => {
  it('names only paths that exist', () => {
    const files = allFiles()
    expect(readText(document)).not.toBe('')
    const folder = document.startsWith('docs/') ? 'docs' : ''
    const paths = namedPaths(readText(document), folder).filter((path) => !isGenerated(path))
    expect(paths.filter((path) => !pathExists(path, files))).toEqual([])
  })

  it('links only to headings that exist', () => {
    const wrong = namedAnchors(readText(document)).filter(([target, anchor]) => {
      const text = readText(target === '' ? document : join(dirname(document), target))
      return !anchorsOf(text).includes(anchor)
    })
    expect(wrong).toEqual([])
  })

  it('names only scripts that exist', () => {
    const { scripts } = readManifest(join(ROOT, 'package.json'))
    expect(namedScripts(readText(document)).filter((script) => !scripts.includes(script))).toEqual([])
  })
})

describe.each(packages.map(({ folder }) => folder))('the README of %s', (folder) => {
  const readme = readmeOf(folder)

  it('has an example', () => {
    expect(codeBlocks(readme).map(({ info }) => info[0])).toContain('ts')
  })

  it('tells all public names', () => {
    const entries = readManifest(join(ROOT, folder, 'package.json')).entries
    const files = entries.map((entry) => (entry === '.' ? 'index' : entry.slice(2)))
    const names = files.flatMap((file) => exportedValues(readText(join(folder, 'src', `${file}.ts`))))
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([])
  })
})

describe('the guides', () => {
  it('show no file twice: others import it by its name', () => {
    const files = GUIDES.flatMap((guide) => codeBlocks(readText(guide)).flatMap((block) => fileOf(block) ?? []))
    expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual([])
  })

  it('all stand in the index, and the index in the README', () => {
    const index = readText('docs/README.md')
    const guides = GUIDES.filter((guide) => guide !== 'docs/README.md')
    expect(guides.filter((guide) => !index.includes(`](${guide.slice('docs/'.length)})`))).toEqual([])
    expect(readText('README.md')).toContain('](docs/README.md)')
  })

  it('name only elements that exist', () => {
    const known = namedElements(readText('packages/connect/src/register.ts').replaceAll("'leuria-", '<leuria-'))
    expect(known).not.toEqual([])
    const named = new Set(GUIDES.flatMap((guide) => namedElements(readText(guide))))
    expect([...named].filter((name) => !known.includes(name))).toEqual([])
  })
})

/** A package that has every one of ours that the code imports. Guides belong to none. */
function homeOf(code: string): string {
  const needed = [...code.matchAll(/from '(@leuria\/[\w-]+)/g)].map((match) => match[1] ?? '')
  const has = ({ name, dependencies, devDependencies }: (typeof packages)[number]): boolean =>
    needed.every((each) => each === name || dependencies.includes(each) || devDependencies.includes(each))
  return packages.find(has)?.folder ?? ''
}

const readmes = ['', ...workspace.map(({ folder }) => folder)]
const blocks: Example[] = [
  ...readmes.flatMap((folder) =>
    codeBlocks(readmeOf(folder)).map((block) => ({ ...block, folder, document: join(folder, 'README.md') })),
  ),
  ...GUIDES.flatMap((document) =>
    codeBlocks(readText(document)).map((block) => ({ ...block, folder: homeOf(block.code), document })),
  ),
]
const examples = blocks.filter(({ info }) => info[0] === 'ts' || info[0] === 'tsx')
const scripts: Example[] = blocks.flatMap((block) => {
  if (block.info[0] === 'js') return [block]
  return block.info[0] === 'html' ? inlineScripts(block).map((script) => ({ ...block, ...script })) : []
})

/** All that follows asks one compiler run: these two are wrong on purpose. */
const wrong = ['const a = 1\nconst b: string = a', "import { nope } from '@leuria/clock'\nnope()"].map((code) => ({
  ...{ folder: 'packages/clock', document: 'packages/clock/README.md', info: ['ts'], line: 1_000 },
  code,
}))

describe('examples', () => {
  let errors: string[]
  beforeAll(() => {
    errors = typeErrors([...examples, ...wrong])
  }, 60_000)

  it('pass the type check', () => {
    expect(errors.filter((error) => !/README\.md:1\d\d\d:/.test(error))).toEqual([])
  })

  it('would not pass with a wrong type or an import that is not exported', () => {
    expect(errors.filter((error) => /README\.md:1\d\d\d:/.test(error))).toEqual([
      expect.stringMatching(/^packages\/clock\/README\.md:1001: .*not assignable/),
      expect.stringMatching(/^packages\/clock\/README\.md:1000: .*nope/),
    ])
  })

  it('that are scripts of plain pages pass it, too', () => {
    const nope: Example = { folder: '', document: 'docs/nope.md', info: ['js'], line: 1, code: 'Leuria.nope()' }
    expect(scriptErrors([...scripts, nope])).toEqual([expect.stringMatching(/^docs\/nope\.md:1: .*nope/)])
  }, 60_000)

  describe('that are marked `run`', { timeout: 30_000 }, () => {
    let home: string
    beforeAll(() => {
      home = mkdtempSync(join(tmpdir(), 'leuria-example-'))
    })
    afterAll(() => {
      rmSync(home, { recursive: true, force: true })
    })

    const runnable = examples.filter(({ info }) => info.includes('run'))
    it.for(runnable.map((example) => [`${example.document}:${example.line}`, example] as const))(
      '%s runs',
      async ([, example]) => {
        const env = { ...process.env, HOME: home, LEURIA_HOME: join(home, '.leuria'), NODE_OPTIONS: '' }
        expect(await runExample(example, env)).toMatchObject({ code: 0 })
      },
    )
  })
})

describe('reading documents', () => {
  it('finds fenced blocks with their info and line', () => {
    expect(codeBlocks('a\n```ts run\nx\ny\n```\n~~~\n```\n~~~')).toEqual([
      { info: ['ts', 'run'], code: 'x\ny', line: 3 },
      { info: [], code: '```', line: 7 },
    ])
  })

  it('takes for paths what starts like one, and local links', () => {
    const text =
      'See `packages/x/src/a.ts`, `application/json`, `turbo.json`, [a](docs/a.md#b), [b](https://x.example/).'
    expect(namedPaths(text)).toEqual(['packages/x/src/a.ts', 'turbo.json', 'docs/a.md'])
  })

  it('reads links of a guide from where the guide is', () => {
    expect(namedPaths('[a](tools.md#b), [c](../packages/x/README.md), `apps/cli`', 'docs')).toEqual([
      'apps/cli',
      'docs/tools.md',
      'packages/x/README.md',
    ])
  })

  it('finds links to headings, and the headings', () => {
    expect(namedAnchors('[a](#one) [b](x.md#two-words) [c](https://y.example/#no)')).toEqual([
      ['', 'one'],
      ['x.md', 'two-words'],
    ])
    expect(anchorsOf("# What's `in` it?\n```\n# no\n```\n## Two, words")).toEqual(['whats-in-it', 'two-words'])
  })

  it('takes a word like a file name after the fence for one', () => {
    const fileAfter = (fence: string) => codeBlocks(`${fence}\n\`\`\``).map(fileOf)
    expect(['```ts main.ts', '```ts run', '```html index.html', '```'].flatMap(fileAfter)).toEqual([
      ...['main.ts', null],
      ...['index.html', null],
    ])
  })

  it('finds scripts inside of HTML, with their lines', () => {
    const code = '<script src="a.js"></script>\n<script type="module">\nf()\n</script>'
    expect(inlineScripts({ info: ['html'], code, line: 10 })).toEqual([{ info: ['js'], code: '\nf()\n', line: 11 }])
  })

  it('finds scripts in backticks and shell blocks', () => {
    expect(namedScripts('`npm start` and `npm run lint`\n```sh\nnode tooling/task.mjs build\nnpm test\n```')).toEqual([
      'start',
      'lint',
      'build',
      'test',
    ])
  })

  it.each([
    ['packages/a/src/x.ts', true],
    ['packages/a/src', true],
    ['packages/<name>/src/x.ts', true],
    ['packages/*/src/', true],
    ['packages/a/src/y.ts', false],
    ['packages/b', false],
    ['packages/a/src/x.ts/z', false],
  ])('%s exists: %s', (path, exists) => {
    expect(pathExists(path, ['packages/a/src/x.ts'])).toBe(exists)
  })

  it('lists exported values, not types', () => {
    const source =
      "export { a, type B } from './a.js'\nexport type { C } from './c.js'\nexport const d = 1\nexport function e() {}"
    expect(exportedValues(source)).toEqual(['a', 'd', 'e'])
  })
})

describe('running examples', () => {
  const example = (code: string): Example => ({
    ...{ folder: 'packages/clock', document: 'packages/clock/README.md' },
    ...{ info: ['ts', 'run'], code, line: 10 },
  })

  it('runs code that imports its own package, and sees it fail', async () => {
    const good = example("import * as clock from '@leuria/clock'\nif (typeof clock !== 'object') throw new Error()")
    const bad = example('process.exitCode = 3')
    const results = await Promise.all([good, bad].map((each) => runExample(each, process.env)))
    expect(results.map(({ code }) => code)).toEqual([0, 3])
  }, 30_000)
})
