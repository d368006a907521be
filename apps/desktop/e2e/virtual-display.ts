/** A display that nobody sees, where browsers run as they do for people: only there do they open links of other programs. */
import { spawn, spawnSync } from 'node:child_process'

const ci = process.env.CI
const isCi = ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0'

/** Why links can't be tested as the system delivers them here; `null`: they can. @throws under CI, where that would hide a fault */
export function missingForRealLinks(): string | null {
  if (process.platform !== 'linux') return 'only Linux has these programs'
  const missing = ['Xvfb', 'xdg-open', 'xdg-mime'].filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length === 0) return null
  const words = `install ${missing.join(', ')} (Debian, Ubuntu: apt-get install xvfb xdg-utils)`
  if (isCi) throw new Error(`Links can't be tested: ${words}`)
  return words
}

export interface VirtualDisplay extends AsyncDisposable {
  /** For `DISPLAY`. */
  readonly name: string
}

export async function openDisplay(): Promise<VirtualDisplay> {
  // It takes a free number, and says which on its third pipe once it is ready.
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', () => {
      reject(new Error('Xvfb ended before it was ready.'))
    })
    server.stdio[3]?.once('data', (piece: Buffer) => {
      resolve(piece.toString().trim())
    })
  })
  return {
    name: `:${number}`,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => server.once('close', resolve))
      server.kill()
      await ended
    },
  }
}
