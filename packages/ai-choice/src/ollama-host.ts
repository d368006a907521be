/** `OLLAMA_HOST` as Ollama itself reads it: a host, a port or both, with or without a scheme and a path. */

const DEFAULT_PORT = 11_434
/** A scheme names the port where none is given. */
const SCHEME_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 }
/** Where a server that listens on every address is reached from this computer. */
const ANYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

/** Where Ollama is, without a slash at the end. Nothing, or nothing readable: its usual place on this computer. */
export function ollamaRoot(value: string | undefined): string {
  const text = (value ?? '')
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .trim()
  const scheme = /^(https?):\/\//i.exec(text)?.[1]?.toLowerCase()
  const rest = scheme === undefined ? text : text.slice(scheme.length + 3)
  const [authority = '', ...path] = rest.split('/')
  const { host, port } = hostAndPort(
    authority,
    scheme === undefined ? DEFAULT_PORT : (SCHEME_PORTS[scheme] ?? DEFAULT_PORT),
  )
  const url = `${scheme ?? 'http'}://${ANYWHERE[host] ?? host}:${port}${['', ...path].join('/').replace(/\/+$/, '')}`
  return URL.canParse(url) ? url : `http://127.0.0.1:${DEFAULT_PORT}`
}

function hostAndPort(authority: string, defaultPort: number): { host: string; port: number } {
  const bracketed = /^\[([0-9a-f:.]+)\](?::(.*))?$/i.exec(authority)
  if (bracketed !== null) return { host: `[${bracketed[1]}]`, port: readPort(bracketed[2], defaultPort) }
  const colons = authority.split(':').length - 1
  if (colons > 1) return { host: `[${authority}]`, port: defaultPort }
  const [host, port] = authority.split(':')
  return { host: host === undefined || host === '' ? '127.0.0.1' : host, port: readPort(port, defaultPort) }
}

function readPort(text: string | undefined, defaultPort: number): number {
  const port = Number(text)
  return text !== undefined && /^\d{1,5}$/.test(text) && port <= 65_535 ? port : defaultPort
}
