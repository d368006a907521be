/** The contract between the kit and a client under test: a page that uses the client, as a few things a visitor can do there. */

/** What the browser gives a page. A client that brings its own (a real browser) leaves these alone. */
export interface PageParts {
  /** The engine's base URL. */
  readonly url: string
  /** The page's origin. */
  readonly origin: string
  /** What `localStorage` is; pages of one storage are opened one after the other, as after a reload. */
  readonly storage: PageStorage
  /** Sends the page's Origin. */
  readonly fetch: (input: string, init?: RequestInit) => Promise<Response>
  /** Sends the page's Origin. */
  readonly WebSocket: new (url: string) => WebSocket
  /** Hands a `leuria:` link to the system, as a click on a link does. */
  readonly openLink: (link: string) => void
}

export interface PageStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface ClientTool {
  readonly name: string
  readonly description: string
  /** What it gives. */
  readonly says?: string
  /** What it throws instead; the AI then has to hear that the call failed. */
  readonly fails?: string
  /** Does that. */
  readonly run: () => string
}

export interface ClientSession {
  /** A follow-up turn. Rejects when there can be none. */
  prompt(text: string): Promise<unknown>
  close(): Promise<unknown>
  /** How it ended; null while it lives. */
  outcome(): string | null
  /** The text of the turn under way, or of the last one, as the page has it. */
  text(): string
}

/** `not-connected`: it may be offered to connect. `not-running`: the visitor is told that Leuria doesn't run. */
export type ClientStatus = 'not-connected' | 'connecting' | 'connected' | 'not-running' | 'declined'

/** A page with the client under test. */
export interface ClientPage {
  /** The origin that the page really has, where it can't take the kit's. */
  readonly origin?: string
  /**
   * The visitor's click on Connect: the link has to be open when this returns. The promise may settle when the attempt ends
   * or when the visitor was told that Leuria isn't running; it may reject.
   */
  connect(): Promise<unknown>
  /** Resolves when the click handler has returned and its links are known. @default they are at once */
  clicked?(): Promise<void>
  /** What the page does when it is loaded: finds out how it stands. */
  detect(): Promise<unknown>
  /** Starts the AI. Rejects when that isn't possible. */
  startSession(start: { prompt?: string; tools: readonly ClientTool[] }): Promise<ClientSession>
  status(): ClientStatus
  /** Every text about Leuria that the visitor has seen so far. */
  shown(): readonly string[]
  /** The visitor leaves the page (pagehide). */
  leave(): void
  /** Frees everything. */
  close(): unknown
}

export type OpenPage = (parts: PageParts) => ClientPage | Promise<ClientPage>
