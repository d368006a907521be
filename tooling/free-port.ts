// A port for programs that have to be told one before they run. Owns no program: whoever gets the port listens on it.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Systems give out higher ones to who asks for any, and lower ones are often some program's own. */
const LOWEST = 12_000
const HIGHEST = 32_000

/** One of this computer that is free, and that no other test's server is given in between. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => {
      resolve(false)
    })
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true)
      })
    })
  })
}
