/** The site's files, read once: exactly what the build made is served, and no path reaches anything else. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface SiteFile {
  readonly type: string
  readonly body: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** @returns URL path → file; `/` is the page. @throws when the folder isn't there */
export function readSite(folder: string, engineUrl: string): ReadonlyMap<string, SiteFile> {
  const files = new Map<string, SiteFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    const url = path.slice(folder.length).replaceAll('\\', '/')
    files.set(url.startsWith('/') ? url : `/${url}`, { type, body: readFileSync(path) })
  }
  const page = files.get('/index.html')
  if (page === undefined) throw new Error(`There is no built page in ${folder}.`)
  files.set('/', { ...page, body: Buffer.from(withEngine(page.body.toString('utf8'), engineUrl)) })
  files.delete('/index.html')
  return files
}

/** Writes the engine's address into the page's own place for it. */
export function withEngine(page: string, engineUrl: string): string {
  const address = new URL(engineUrl).origin // What a URL can't hold can't break out of the attribute either.
  return page.replace('<meta name="leuria-engine" content=""', `<meta name="leuria-engine" content="${address}"`)
}
