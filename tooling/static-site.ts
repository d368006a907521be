// Serves a built site on 127.0.0.1: exactly the files that were there at the start, nothing else.
// Not a server for the open net: no caching, no compression, no TLS.
import { readFileSync, readdirSync } from 'node:fs'
import { type RequestListener, type Server, createServer } from 'node:http'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

export interface StaticSite {
  /** With a slash at the end. */
  url: string
  close(): Promise<void>
}

/**
 * Serves `folder` on `port`, or, when that is taken, on a free one.
 * @throws when the folder does not exist.
 */
export async function serveSite(folder: string, port: number): Promise<StaticSite> {
  const server = createServer(answerFrom(folder))
  await listen(server, port).catch((error: unknown) => {
    if (!isPortTaken(error)) throw error
    return listen(server, 0)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answerFrom(folder: string): RequestListener {
  const files = new Map(filesIn(folder).map((path) => [`/${path}`, join(folder, path)]))
  return (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const file = files.get(path.endsWith('/') ? `${path}index.html` : path)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!file || !isRead) return void response.writeHead(file ? 405 : 404).end()
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    response.end(request.method === 'HEAD' ? undefined : readFileSync(file))
  }
}

function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    return entry.isDirectory() ? filesIn(folder, path) : [path]
  })
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
