/** Serves the window's built files on loopback, to the window only: by its own name, reading only, nothing outside the folder. */
import { readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, sep } from 'node:path'
import { MINIMAL_PAGE } from './minimal-page.js'

/** How a request names the window's address: any other name is a page elsewhere that was led here. */
const HOST = 'tauri.localhost'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  // The engine's port is another one after each start.
  'content-security-policy':
    "default-src 'self'; connect-src 'self' http://127.0.0.1:*; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

export interface UiServer {
  readonly port: number
  close(): Promise<void>
}

interface Found {
  type: string
  body: Buffer | string
}

/** A file of the folder; `null`: there is none of that name, or it would be outside. */
async function readFrom(folder: string, path: string): Promise<Found | null> {
  const file = normalize(join(folder, path))
  if (!file.startsWith(folder + sep)) return null
  const body = await readFile(file).catch(() => null)
  return body === null ? null : { type: TYPES[extname(file)] ?? 'application/octet-stream', body }
}

/** `null`: it can't be read. */
function pathOf(url: string): string | null {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '')
    return path.includes('\0') ? null : path
  } catch {
    return null
  }
}

async function find(folder: string, url: string): Promise<Found | null> {
  const path = pathOf(url)
  if (path === null) return null
  const isBuilt = await stat(join(folder, 'index.html')).then(
    () => true,
    () => false,
  )
  if (!isBuilt) return MINIMAL_PAGE[path] ?? null
  return readFrom(folder, path === '/' ? 'index.html' : path)
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hosts = request.rawHeaders.filter(
    (_, at) => at % 2 === 1 && request.rawHeaders[at - 1]?.toLowerCase() === 'host',
  )
  if (hosts.length !== 1 || hosts[0] !== HOST || request.method !== 'GET') {
    // Not even a refusal, as the engine does it: a page that tries ports learns nothing from this one.
    request.socket.destroy()
    return
  }
  const found = await find(folder, request.url ?? '')
  response.writeHead(found === null ? 404 : 200, { ...HEADERS, 'content-type': found?.type ?? 'text/plain' })
  response.end(found?.body ?? 'There is no such file.')
}

/** @param folder with an `index.html`; without one, a page with the questions alone is served */
export async function serveUi(folder: string): Promise<UiServer> {
  const server = createServer((request, response) => {
    void answer(folder, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port: 0, host: '127.0.0.1' }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
