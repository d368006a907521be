/** A home, a list of agents that a fake network serves, a fake npm, and archives made on the spot. For tests. */
import { createHash } from 'node:crypto'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { type AgentRegistry, openAgentRegistry, type RegistryOptions } from './index.js'

export const COMPUTER = { platform: 'linux', arch: 'x64' } as const
export const ARCHIVE = 'https://maker.example/agent'

/** What a fake npm does is said by the package's name; what it was asked is a line in `npm-log`. It waits while there is a `hold`. */
const NPM = `
const fs = require('node:fs'), path = require('node:path')
const [, , verb, spec, ...flags] = process.argv
fs.appendFileSync(path.join(__dirname, 'npm-log'), JSON.stringify({ verb, spec, flags, env: process.env }) + '\\n')
while (fs.existsSync(path.join(__dirname, 'hold'))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
const name = spec.slice(0, spec.lastIndexOf('@')), kind = name.replace('@maker/', '')
const engines = { 'new-node': '>=99', 'old-node': '>=18' }[kind]
if (verb === 'view') { if (kind === 'offline') { console.error('npm error code ENOTFOUND'); process.exit(1) } console.log(JSON.stringify(engines ? { 'engines.node': engines, version: '1.0.0' } : '1.0.0')); process.exit(0) }
if (kind === 'broken') { console.error('npm error code EX\\nnpm error The disk said no\\nnpm error A complete log of this run'); process.exit(1) }
if (kind === 'slow') { fs.writeFileSync(path.join(__dirname, 'npm-pid'), String(process.pid)); setInterval(() => {}, 1000) } else {
const home = path.join(process.cwd(), 'node_modules', name)
fs.mkdirSync(home, { recursive: true })
const bin = { 'no-bin': undefined, 'out-bin': '../../../../etc/hosts', 'one-bin': { other: 'cli.js' }, 'two-bins': { a: 'cli.js', b: 'cli.js' } }
fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify({ name, version: '1.0.0', bin: kind in bin ? bin[kind] : './cli.js' }))
fs.writeFileSync(path.join(home, 'cli.js'), 'console.log("hello")')
if (kind === 'link') fs.symlinkSync('/etc', path.join(home, 'etc'))
}
`

export interface RegistryScene {
  readonly home: string
  readonly folder: string
  /** What the fake network has, by address. Absent: it can't be reached. */
  readonly network: Map<string, () => Response | Promise<Response>>
  readonly asked: string[]
  serve(...agents: unknown[]): void
  open(options?: Partial<RegistryOptions>): Promise<AgentRegistry>
  close(): Promise<void>
}

const LIST = 'https://list.example/registry.json'

export async function registryScene(): Promise<RegistryScene> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'leuria-test-')))
  const npm = join(folder, 'npm.cjs')
  await writeFile(npm, NPM)
  const network: RegistryScene['network'] = new Map()
  const asked: string[] = []
  const opened: AgentRegistry[] = []
  const home = join(folder, 'home')
  return {
    home,
    folder,
    network,
    asked,
    serve: (...agents) => network.set(LIST, () => Response.json({ version: '1.0.0', agents })),
    open: async (options = {}) => {
      const registry = await openAgentRegistry({
        home,
        url: LIST,
        env: { PATH: '/usr/bin:/bin' },
        computer: COMPUTER,
        tools: { npm: [process.execPath, npm] },
        fetch: async (input) => {
          const url = input instanceof Request ? input.url : String(input)
          asked.push(url)
          const answer = network.get(url)
          if (answer === undefined) throw new TypeError('fetch failed', { cause: new NoRoute() })
          return answer()
        },
        ...options,
      })
      opened.push(registry)
      return registry
    },
    close: async () => {
      await Promise.all(opened.map((registry) => registry.close()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

class NoRoute extends Error {
  readonly code = 'ENOTFOUND'
}

export function npmAgent(id: string, version = '1.0.0', args: string[] = ['--acp']): unknown {
  return {
    id,
    name: `The ${id}`,
    version,
    description: 'd',
    distribution: { npx: { package: `@maker/${id}@${version}`, args } },
  }
}

export function archiveAgent(id: string, ending: string, more: Record<string, unknown> = {}): unknown {
  const target = { archive: `${ARCHIVE}${ending}`, cmd: './bin/agent', ...more }
  return { id, name: id, version: '1.0.0', description: 'd', distribution: { binary: { 'linux-x86_64': target } } }
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** One entry of a tar archive made by hand: anything can be said in it. */
export interface TarEntry {
  readonly path: string
  readonly content?: string
  /** '0' file, '1' hard link, '2' symbolic link, '3' device, '5' folder. @default '0' */
  readonly type?: string
  readonly link?: string
  readonly mode?: number
}

export function tarGz(...entries: readonly TarEntry[]): Buffer {
  return gzipSync(tarOf(...entries))
}

export function tarOf(...entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(tarEntry), Buffer.alloc(1024)])
}

function tarEntry({ path, content = '', type = '0', link = '', mode = 0o644 }: TarEntry): Buffer {
  const head = Buffer.alloc(512)
  const put = (text: string, at: number): number => head.write(text, at, 'latin1')
  put(path, 0)
  put(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  put('0000000\0', 108)
  put('0000000\0', 116)
  put(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  put('00000000000\0', 136)
  put(type, 156)
  put(link, 157)
  put('ustar\x0000', 257)
  put('        ', 148)
  const sum = head.reduce((total, byte) => total + byte, 0)
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([head, body])
}

/** A zip archive made by hand, nothing compressed. */
export function zipOf(...entries: readonly { path: string; content?: string; mode?: number }[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content = '', mode = 0o100644 } of entries) {
    const [name, data] = [Buffer.from(path), Buffer.from(content)]
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((mode << 16) >>> 0, 6)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), facts, tail, name]))
    parts.push(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, name, data]))
    offset += 30 + name.length + data.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listing, end])
}
