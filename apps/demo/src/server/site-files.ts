/** The site's files, read once: exactly what the build made is served, and no path reaches anything else. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface SiteFile {
  readonly type: string
  readonly body: Buffer
}

export interface SiteFiles {
  /** URL path (`/`, `/notes`) → page, before anything is filled in. */
  readonly pages: ReadonlyMap<string, string>
  /** URL path → file, the pages not among them. */
  readonly files: ReadonlyMap<string, SiteFile>
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** `/notes.html` is the page at `/notes`. @throws when the folder isn't there, or holds no first page */
export function readSite(folder: string): SiteFiles {
  const files = new Map<string, SiteFile>()
  const pages = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const body = readFileSync(path)
    const url = `/${path.slice(folder.length).replaceAll('\\', '/').replace(/^\//, '')}`
    if (url.endsWith('.html')) pages.set(url.replace(/(?:index)?\.html$/, ''), body.toString('utf8'))
    else files.set(url, { type: TYPES[extname(path)] ?? 'application/octet-stream', body })
  }
  if (!pages.has('/')) throw new Error(`There is no built page in ${folder}.`)
  return { pages, files }
}
