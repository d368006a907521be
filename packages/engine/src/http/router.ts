/** Finds the route for a method and a path: literal paths by one look-up, paths with parameters by their segments. */
import type { Route } from './route.js'

export interface RouteMatch {
  route: Route
  params: Readonly<Record<string, string>>
}

export interface Router {
  /** `null`: no such route. */
  match(method: string, path: string): RouteMatch | null
}

interface Pattern {
  route: Route
  segments: readonly string[]
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})

/** Parameter values by name, or `null` when the path is another one. Empty values never match. */
function readParams(pattern: Pattern, segments: readonly string[]): Readonly<Record<string, string>> | null {
  const params: Record<string, string> = {}
  for (const [at, expected] of pattern.segments.entries()) {
    const actual = segments[at] ?? ''
    if (!expected.startsWith(':')) {
      if (expected !== actual) return null
    } else {
      if (actual === '') return null
      params[expected.slice(1)] = actual
    }
  }
  return params
}

export function createRouter(routes: readonly Route[]): Router {
  const literal = new Map<string, RouteMatch>()
  const patterns = new Map<string, Pattern[]>()
  for (const route of routes) {
    if (!route.path.includes('/:')) {
      literal.set(`${route.method} ${route.path}`, { route, params: NO_PARAMS })
      continue
    }
    const segments = route.path.split('/')
    const key = `${route.method} ${segments.length}`
    patterns.set(key, [...(patterns.get(key) ?? []), { route, segments }])
  }
  return {
    match(method, path) {
      const exact = literal.get(`${method} ${path}`)
      if (exact !== undefined) return exact
      const segments = path.split('/')
      for (const pattern of patterns.get(`${method} ${segments.length}`) ?? []) {
        const params = readParams(pattern, segments)
        if (params !== null) return { route: pattern.route, params }
      }
      return null
    },
  }
}
