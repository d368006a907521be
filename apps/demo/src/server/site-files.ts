/** The site's files, read once: exactly what the build made is served, and no path reaches anything else. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface SiteFile {
  readonly type: string
  readonly body: Buffer
}

export interface SiteFiles {
  /** The page, before anything is filled in. */
  readonly page: string
  /** URL path → file, the page not among them. */
  readonly files: ReadonlyMap<string, SiteFile>
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** @throws when the folder isn't there, or holds no page */
export function readSite(folder: string): SiteFiles {
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
  files.delete('/index.html')
  return { page: page.body.toString('utf8'), files }
}
