/** A small server for the built site, on this computer only. Not for the open net: no TLS, no compression. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { askApprovals, withConfig } from './page-config.js'
import { readSite, type SiteFile, type SiteFiles } from './site-files.js'
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
  const server = createServer(answerFrom(readSite(folder), engineUrl))
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

function answerFrom({ pages, files }: SiteFiles, engineUrl: string): RequestListener {
  const pageFile = async (page: string): Promise<SiteFile> => {
    const config = { engineUrl, approvals: await askApprovals(engineUrl) }
    return { type: 'text/html; charset=utf-8', body: Buffer.from(withConfig(page, config)) }
  }
  return (request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead) {
      refuse(response, 405, 'This can only be read.')
      return
    }
    const page = pages.get(path)
    const file = page === undefined ? Promise.resolve(files.get(path)) : pageFile(page)
    void file.then((found) => {
      if (found === undefined) refuse(response, 404, 'There is nothing here.')
      else send(response, found, request.method === 'HEAD')
    })
  }
}

function send(response: ServerResponse, { type, body }: SiteFile, isHeadOnly: boolean): void {
  response.writeHead(200, { ...SITE_HEADERS, 'content-type': type, 'content-length': body.length })
  response.end(isHeadOnly ? undefined : body)
}

function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { ...SITE_HEADERS, 'content-type': 'text/plain; charset=utf-8' })
  response.end(words)
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
