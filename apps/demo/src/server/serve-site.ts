/** A small server for the built site, on this computer only. Not for the open net: no TLS, no compression. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { readSite, type SiteFile } from './site-files.js'
import { SITE_HEADERS } from './site-headers.js'

export interface ServeOptions {
  /** The folder that the build made. */
  folder: string
  /** Where the page finds the engine. */
  engineUrl: string
  /** 0 takes a free one. @default 0 */
  port?: number
}

export interface Site {
  /** With a slash at the end. */
  readonly url: string
  /** Cuts what is open. */
  close(): Promise<void>
}

/** @throws when the port is taken, or the folder holds no page */
export async function serveSite({ folder, engineUrl, port = 0 }: ServeOptions): Promise<Site> {
  const server = createServer(answerFrom(readSite(folder, engineUrl)))
  await listen(server, port)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The site has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

function answerFrom(files: ReadonlyMap<string, SiteFile>): RequestListener {
  return (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const file = files.get(path)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (file === undefined || !isRead) {
      response.writeHead(file === undefined ? 404 : 405, { ...SITE_HEADERS, 'content-type': 'text/plain' })
      response.end(file === undefined ? 'There is nothing here.' : 'This can only be read.')
      return
    }
    response.writeHead(200, { ...SITE_HEADERS, 'content-type': file.type, 'content-length': file.body.length })
    response.end(request.method === 'HEAD' ? undefined : file.body)
  }
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
