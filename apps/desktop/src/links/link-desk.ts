/**
 * Takes `leuria:` links from wherever the system hands them over, keeps them while the engine isn't up, and does what they
 * ask for: a question, or a site's settings. What isn't one of ours, or asks for what isn't there, does nothing.
 */
import { adminSiteList, type Origin, parseLink } from '@leuria/protocol'
import { askAdmin, type EngineAddress } from './admin-client.js'

/** The system may deliver one click twice, as an argument and as a message. A page makes a new nonce for each click. */
const SAME_LINK_MS = 10_000
/** Links that wait for the engine. More than the visitor can have clicked meanwhile is somebody's flood: the oldest go. */
const MAX_WAITING = 20

type Link = NonNullable<ReturnType<typeof parseLink>>

export interface LinkDeskOptions {
  /** `null`: not up. */
  engine: () => EngineAddress | null
  /** A site asks: show the window. */
  onQuestion: () => void
  /** A connected site's settings were asked for. */
  onSite: (origin: Origin) => void
  /** For people. */
  log: (line: string) => void
  now?: () => number
}

export class LinkDesk {
  #waiting: Link[] = []
  readonly #seen = new Map<string, number>()
  #working: Promise<void> = Promise.resolve()

  constructor(private readonly options: LinkDeskOptions) {}

  /** Takes a link as it came. False: it isn't one of ours. */
  take(text: string): boolean {
    const link = parseLink(text)
    if (link === null) return false
    if (link.kind === 'connect' && this.#isRepeated(`${link.origin} ${link.nonce}`)) return true
    this.#waiting.push(link)
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()
    void this.work()
    return true
  }

  /** Does what waits, if the engine is up. Call it again when it is. Never rejects. */
  work(): Promise<void> {
    this.#working = this.#working.then(() => this.#work())
    return this.#working
  }

  #isRepeated(key: string): boolean {
    const now = (this.options.now ?? Date.now)()
    for (const [old, at] of this.#seen) if (now - at >= SAME_LINK_MS) this.#seen.delete(old)
    if (this.#seen.has(key)) return true
    this.#seen.set(key, now)
    return false
  }

  async #work(): Promise<void> {
    for (;;) {
      const engine = this.options.engine()
      const link = this.#waiting[0]
      if (engine === null || link === undefined) return
      try {
        await this.#do(engine, link)
      } catch {
        // It is gone, and a new one will come: the link waits for it.
        return
      }
      this.#waiting = this.#waiting.filter((each) => each !== link)
    }
  }

  async #do(engine: EngineAddress, link: Link): Promise<void> {
    if (link.kind === 'site') {
      const { status, body } = await askAdmin(engine, '/sites')
      const read = adminSiteList.safeParse(body)
      // Kept, it would stand before every link to come.
      if (!read.success) this.options.log(`The settings of ${link.origin} were not shown (${status}).`)
      else if (read.data.sites.some(({ origin }) => origin === link.origin)) this.options.onSite(link.origin)
      return
    }
    const { kind: _kind, ...body } = link
    const { status } = await askAdmin(engine, '/pairing/link', body)
    if (status === 201) this.options.onQuestion()
    // 429: the visitor just said no, or too many ask. Nothing is shown, so that nobody can nag.
    else this.options.log(`The link of ${link.origin} was refused (${status}).`)
  }
}
