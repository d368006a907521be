/** For this package's tests: a small client that does all it must and should, but for the defects it is told to have. */
import { randomBytes } from 'node:crypto'
import { formatConnectLink, parseOrigin } from '@leuria/protocol'
import type { ClientPage, ClientStatus, ClientTool, PageParts } from './client-check/client-page.js'
import { pause } from './client-check/stage.js'
import type { ClientDefect } from './client-defects.fixture.js'
import { fieldsIn, type Fields } from './fake-engine/fake-channel.js'
import { SmallSession } from './small-session.fixture.js'

const HEALTH_LIMIT_MS = 1_500
const REACH_LIMIT_MS = 10_000
const CLAIM_RETRY_MS = 300

export class SmallClient implements ClientPage {
  readonly #texts: string[] = []
  readonly #sessions = new Set<SmallSession>()
  readonly #closed = new AbortController()
  readonly #sameNonce = randomBytes(24).toString('base64url')
  #memory: string | null = null
  #status: ClientStatus = 'not-connected'
  #attempt = 0

  constructor(
    private readonly page: PageParts,
    private readonly defects: readonly ClientDefect[] = [],
  ) {
    if (this.#token !== null) this.#status = 'connected'
  }

  async connect(): Promise<void> {
    if (this.#has('late_link')) await Promise.resolve()
    this.#attempt += 1
    const origin = parseOrigin(this.page.origin)
    const nonce = this.#has('same_nonce') ? this.#sameNonce : randomBytes(24).toString('base64url')
    if (origin !== null) this.page.openLink(formatConnectLink({ origin, nonce }))
    this.#status = 'connecting'
    await this.#claim(nonce, this.#attempt)
  }

  async detect(): Promise<void> {
    if (this.#token === null && !this.#has('eager_health')) return
    try {
      const limit = this.#has('patient_health') ? {} : { signal: AbortSignal.timeout(HEALTH_LIMIT_MS) }
      const { paired } = await this.#request('/health', limit)
      if (paired === false && !this.#has('keeps_unpaired_token')) this.#forget()
      else if (this.#token !== null) this.#status = 'connected'
    } catch {
      if (this.#token !== null) this.#status = 'not-running'
    }
    if (this.#has('foreign_address')) await this.page.fetch('http://127.0.0.2:9/stats').catch(() => undefined)
  }

  async startSession(start: { prompt?: string; tools: readonly ClientTool[] }): Promise<SmallSession> {
    if (this.#token === null) throw new Error('This page is not connected.')
    const { prompt, tools } = start
    const { sessionId, registrationToken } = await this.#post(
      '/session/prepare',
      prompt === undefined ? {} : { prompt },
    )
    const session = new SmallSession(String(sessionId), String(registrationToken), {
      page: this.page,
      has: this.#has,
      post: this.#post,
      token: () => this.#token ?? '',
      tools,
      prompted: prompt !== undefined,
      show: this.#show,
    })
    this.#sessions.add(session)
    await session.start()
    return session
  }

  status(): ClientStatus {
    return this.#status
  }

  shown(): readonly string[] {
    return this.#texts
  }

  leave(): void {
    for (const session of this.#sessions) void session.close()
  }

  close(): void {
    this.#closed.abort()
    for (const session of this.#sessions) void session.close()
  }

  readonly #has = (defect: ClientDefect): boolean => this.defects.includes(defect)

  readonly #show = (raw: string, plain: string): void => {
    this.#texts.push(this.#has('raw_words') ? raw : plain)
  }

  get #key(): string {
    return this.#has('one_token_for_all') ? 'token' : `token ${this.page.url}`
  }

  get #token(): string | null {
    return this.#has('token_in_memory') ? this.#memory : this.page.storage.getItem(this.#key)
  }

  #keep(token: string): void {
    this.#memory = token
    if (!this.#has('token_in_memory')) this.page.storage.setItem(this.#key, token)
    this.#status = 'connected'
  }

  #forget(): void {
    this.#memory = null
    this.page.storage.removeItem(this.#key)
    this.#status = 'not-connected'
  }

  async #claim(nonce: string, attempt: number): Promise<void> {
    let silentSince = performance.now()
    while (attempt === this.#attempt && !this.#closed.signal.aborted) {
      const answer = await this.#claimOnce(nonce)
      if (answer?.status === 'allowed') {
        this.#keep(String(answer.token))
        if (this.#has('claims_for_ever')) void this.#claim(nonce, attempt)
        return
      }
      if (answer?.status === 'denied') return this.#told('declined', 'You said no to this site.')
      if (answer?.status === 'pending') silentSince = performance.now()
      if (answer?.status === 'pending' && this.#has('claims_once')) return
      if (performance.now() - silentSince > REACH_LIMIT_MS && !this.#has('never_tells'))
        return this.#told('not-running', "Leuria isn't running, or isn't installed.")
      if (answer?.status !== 'pending') await pause(CLAIM_RETRY_MS)
    }
  }

  #told(status: ClientStatus, words: string): void {
    this.#status = status
    this.#show(words, words)
  }

  /** Null: nothing that can be read. */
  async #claimOnce(nonce: string): Promise<Fields | null> {
    try {
      const init = { method: 'POST', body: JSON.stringify({ nonce }), headers: { 'content-type': 'application/json' } }
      const answer = await this.page.fetch(`${this.page.url}/connect/claim`, { ...init, signal: this.#closed.signal })
      return answer.ok ? fieldsIn(await answer.json()) : null
    } catch {
      return null
    }
  }

  readonly #post = (path: string, body: unknown = {}, init: RequestInit = {}): Promise<Fields> =>
    this.#request(path, { ...init, method: 'POST', body: JSON.stringify(body) })

  async #request(path: string, init: RequestInit): Promise<Fields> {
    const token = this.#token
    const isBare = token === null || (path.endsWith('/prompt') && this.#has('bare_prompts'))
    const headers = { 'content-type': 'application/json', ...(isBare ? {} : { authorization: `Bearer ${token}` }) }
    const answer = await this.page.fetch(this.page.url + path, { ...init, headers })
    const json = fieldsIn(await answer.json())
    if (answer.status === 401 && json.code === 'not_paired' && !this.#has('keeps_refused_token')) this.#forget()
    if (answer.ok) return json
    this.#show(String(json.error), 'That did not work. Please try again.')
    throw new Error(String(json.error))
  }
}
