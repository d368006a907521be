/** `/admin/signin`: whether an agent lets the visitor in, signing in by one of its ways, calling that off. */
import { adminSignInBody, type AdminSignIn, EngineError } from '@leuria/protocol'
import type { AdminParts } from './admin-parts.js'
import { adminRoute, type AdminRoute } from './admin-route.js'
import { askSignIn, showSignIn, signInAgent, withoutSignIn } from './sign-in-status.js'

interface Wish {
  /** Of the default AI when absent. */
  agent?: string | null | undefined
  methodId?: string | undefined
}

/** Longest address that is passed on; sign-in pages carry a state, not a book. */
const MAX_URL_LENGTH = 4_096
/** Of one sign-in. The app opens each in the visitor's browser: an agent must not fill that with pages. */
const MAX_PAGES = 3

/** The https addresses in what an agent says, as a browser writes them. Others are nobody's sign-in page. */
export function pagesIn(line: string): string[] {
  const found = line.match(/https:\/\/[^\s"'<>`]+/g) ?? []
  return found
    .map((url) => url.replace(/[),.;\]]+$/, ''))
    .flatMap((url) => (URL.canParse(url) && url.length <= MAX_URL_LENGTH ? [new URL(url).href] : []))
}

/** The method to use: the one named, else the only one that can be done from here. @throws EngineError */
function methodFor({ methods }: AdminSignIn, wanted: string | undefined): string {
  if (wanted !== undefined) {
    const named = methods.find(({ id }) => id === wanted)
    if (named === undefined) throw new EngineError('bad_request', `It has no way to sign in named "${wanted}".`)
    if (named.way !== 'here') throw new EngineError('unusable', `${named.name} can't be done from here.`)
    return named.id
  }
  const here = methods.filter(({ way }) => way === 'here')
  const [only] = here
  if (only !== undefined && here.length === 1) return only.id
  throw new EngineError(
    'bad_request',
    here.length === 0 ? 'It can only be signed in to in a terminal.' : 'Say which way to sign in.',
  )
}

/** At most one sign-in goes on: a new one calls the last one off. */
class SignIns {
  #current: AbortController | null = null

  constructor(private readonly parts: AdminParts) {}

  cancel(): void {
    this.#current?.abort()
    this.#current = null
  }

  async status({ agent }: Wish, signal: AbortSignal): Promise<AdminSignIn> {
    const id = agent ?? this.parts.agents.default().id
    const found = await signInAgent(this.parts, id)
    return found === null ? withoutSignIn(this.parts, id) : askSignIn(this.parts, found, signal)
  }

  async signIn(wish: Wish, gone: AbortSignal): Promise<AdminSignIn> {
    const id = wish.agent ?? this.parts.agents.default().id
    const found = await signInAgent(this.parts, id)
    if (found === null) return withoutSignIn(this.parts, id)
    this.cancel()
    const current = new AbortController()
    this.#current = current
    const signal = AbortSignal.any([current.signal, gone])
    try {
      return await this.#run(found, wish, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      return { ok: false, detail: 'The sign-in was called off.', methods: [] }
    } finally {
      if (this.#current === current) this.#current = null
    }
  }

  async #run(agent: { id: string; name: string }, wish: Wish, signal: AbortSignal): Promise<AdminSignIn> {
    const before = await askSignIn(this.parts, agent, signal)
    if (before.ok && wish.methodId === undefined) return before
    if (before.methods.length === 0) return before
    const method = methodFor(before, wish.methodId)
    this.#tell(agent.id, `Signing in to ${agent.name}. A page may open in your browser.`)
    try {
      const state = await this.parts.setup.signIn(agent.id, method, { signal, log: this.#listen(agent.id) })
      return showSignIn(agent.name, state)
    } catch (error) {
      if (signal.aborted || !(error instanceof EngineError) || error.code !== 'unusable') throw error
      return { ...before, ok: false, detail: error.message }
    }
  }

  #tell(id: string, message: string): void {
    this.parts.feed.publish({ event: 'progress', stage: 'signin', id, message })
  }

  /** What the agent says may be a code to type, or the page to open; each page is told once, the first few. */
  #listen(id: string): (line: string) => void {
    const told = new Set<string>()
    return (line) => {
      this.#tell(id, line)
      for (const url of pagesIn(line)) {
        if (told.has(url) || told.size >= MAX_PAGES) continue
        told.add(url)
        this.parts.feed.publish({ event: 'signin_url', id, url })
      }
    }
  }
}

export function signInRoutes(parts: AdminParts): AdminRoute[] {
  const signIns = new SignIns(parts)
  return [
    {
      method: 'GET',
      path: '/admin/signin',
      body: 'none',
      handle: async ({ query, signal }) => ({
        status: 200,
        body: await signIns.status({ agent: query.get('agent') }, signal),
      }),
    },
    adminRoute({
      method: 'POST',
      path: '/admin/signin',
      body: adminSignInBody,
      handle: async ({ body, signal }) => ({ status: 200, body: await signIns.signIn(body, signal) }),
    }),
    {
      method: 'POST',
      path: '/admin/signin/cancel',
      body: 'none',
      handle() {
        signIns.cancel()
        return { status: 200, body: { ok: true } }
      },
    },
  ]
}
