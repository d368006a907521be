/** Installs an agent from its maker's archive: checksum first, then unpacked into a folder of its own. */
import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { spawn } from 'node:child_process'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findProgram } from '@leuria/agent-sandbox'
import { containedPath } from './contained-path.js'
import { download } from './download.js'
import type { Installer, InstallerContext } from './installer.js'
import type { BinaryTarget } from './registry-document.js'
import { checkCancelled, RegistryError } from './registry-error.js'
import { MAX_UNPACKED_BYTES, unpackTar } from './tar-archive.js'
import { unpackZip } from './zip-archive.js'

/** Where the archive's content goes: apart from our own files. */
const PROGRAM_FOLDER = 'program'

export function binaryInstaller(target: BinaryTarget): Installer {
  return async (context) => {
    if (target.sha256 === undefined && !context.insist) throw unverified(target)
    const archive = join(context.folder, 'archive')
    const digest = await download(target.archive, archive, context)
    if (target.sha256 !== undefined && digest !== target.sha256.toLowerCase())
      throw new RegistryError('wrong_checksum', 'What came is not what its checksum says, so it was thrown away.')
    context.onProgress({ stage: 'unpacking', message: 'Unpacking' })
    const entry = await unpack(target, archive, context)
    await rm(archive, { force: true })
    return {
      runtime: 'program',
      entry,
      args: target.args,
      env: target.env,
      source: `${target.archive} sha256 ${digest}`,
    }
  }
}

function unverified(target: BinaryTarget): RegistryError {
  const { host } = new URL(target.archive)
  return new RegistryError(
    'unverified',
    `The registry gives no checksum for this program from ${host}, so it can't be checked.`,
  )
}

async function unpack(target: BinaryTarget, archive: string, context: InstallerContext): Promise<string> {
  const cmd = containedPath(target.cmd.replace(/^\.[/\\]/, ''))
  if (cmd === null || cmd === '.') throw new RegistryError('bad_package', `"${target.cmd}" leads out of its folder.`)
  const folder = join(context.folder, PROGRAM_FOLDER)
  await mkdir(folder, { mode: 0o700 })
  const unpacked = await unpackKind(new URL(target.archive).pathname, { archive, folder, context })
  // Not an archive: the program itself.
  if (!unpacked) await rename(archive, join(folder, basename(cmd)))
  const entry = unpacked ? cmd : basename(cmd)
  checkCancelled(context.signal)
  const facts = await stat(join(folder, entry)).catch(() => null)
  if (facts?.isFile() !== true) throw new RegistryError('bad_package', `The archive of this AI has no "${cmd}".`)
  await chmod(join(folder, entry), 0o755)
  return `${PROGRAM_FOLDER}/${entry}`
}

interface Unpacking {
  readonly archive: string
  readonly folder: string
  readonly context: InstallerContext
}

/** False: not an archive by its name. */
async function unpackKind(name: string, { archive, folder, context }: Unpacking): Promise<boolean> {
  if (/\.zip$/i.test(name)) await unpackZip(archive, folder)
  else if (/\.(tar|tar\.gz|tgz)$/i.test(name)) await unpackTar(archive, folder)
  else if (/\.(tar\.bz2|tbz2?)$/i.test(name)) await unpackSqueezed('bzip2', { archive, folder, context })
  else if (/\.(tar\.xz|txz)$/i.test(name)) await unpackSqueezed('xz', { archive, folder, context })
  else return false
  return true
}

/** Formats that Node.js doesn't know are opened by the system's own program. */
async function unpackSqueezed(program: string, { archive, folder, context }: Unpacking): Promise<void> {
  const path = await findProgram(program, { path: context.env['PATH'] })
  if (path === null)
    throw new RegistryError(
      'needs_program',
      `This AI's archive needs the program "${program}", which is not on this computer.`,
    )
  const plain = join(context.folder, 'archive.tar')
  const child = spawn(path, ['-d', '-c', archive], { stdio: ['ignore', 'pipe', 'ignore'], env: {} })
  const ended = new Promise((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  try {
    await pipeline(child.stdout, atMost(MAX_UNPACKED_BYTES), createWriteStream(plain), { signal: context.signal })
    if ((await ended) !== 0) throw new RegistryError('bad_package', 'The archive of this AI is damaged.')
    await unpackTar(plain, folder)
  } finally {
    child.kill('SIGKILL')
    await rm(plain, { force: true })
  }
}

function atMost(limitBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > limitBytes) throw new RegistryError('bad_package', 'The archive of this AI holds too much.')
      yield chunk
    }
  }
}
