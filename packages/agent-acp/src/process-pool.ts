/**
 * The programs of one agent: started for a session, kept warm before one, shared between sessions of one site.
 * A program is shared only if its profile says that it keeps sessions apart, and never between sites.
 */
import { randomUUID } from 'node:crypto'
import { AgentError, type LaunchAgent } from '@leuria/agent'
import { AcpConnection, type ConnectionContext } from './acp-connection.js'
import type { AgentProfile, LaunchParts, SessionWishes } from './agent-profile.js'

export interface PoolOptions extends ConnectionContext {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  profile: AgentProfile
  launch: LaunchAgent
  /** Sessions of one site may share a program. */
  share: boolean
  /** Whether the program may run here: throws before a start, and of one that has introduced itself; it is ended then. */
  rule: { before(): void; started(connection: AcpConnection): void }
  log: (line: string) => void
}

export interface PoolRequest {
  wishes: SessionWishes
  sessionId: string
  site?: string
  signal: AbortSignal
  /** A program of its own, which is told that there is a terminal to sign in with. */
  terminal?: boolean
  /** A program of its own, whose sign-in is kept after its end. */
  keepSignIn?: boolean
  log: (line: string) => void
}

/** A session's hold on a program. */
export interface HeldProcess {
  readonly connection: AcpConnection
  /** Ends the program with its last session; at once if it is broken. Idempotent. */
  release: (broken: boolean) => Promise<void>
}

/** One that is started ahead, or being started. */
interface WarmProgram {
  readonly key: string
  /** `null`: it could not be started. */
  readonly entry: Promise<Entry | null>
  readonly stop: AbortController
}

interface Entry {
  readonly connection: AcpConnection
  readonly key: string
  site: string | undefined
  holders: number
}

export class ProcessPool {
  readonly #options: PoolOptions
  readonly #entries = new Set<Entry>()
  readonly #stop = new AbortController()
  #warm: WarmProgram | null = null
  #keepWarm = false
  /** What the last session wanted: the next one of the site will want the same. */
  #wishes: SessionWishes = {}

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** @throws AgentError */
  async take(request: PoolRequest): Promise<HeldProcess> {
    if (this.#stop.signal.aborted) throw new AgentError('failed', `${this.#options.name} is being stopped.`)
    const key = this.#keyOf(request.wishes)
    const ready =
      request.terminal === true || request.keepSignIn === true
        ? null
        : (this.#findShared(key, request.site) ?? (await this.#takeWarm(key)))
    const entry = ready ?? (await this.#start(request))
    entry.holders += 1
    entry.site = request.site
    return this.#hold(entry)
  }

  /** Has one program started and introduced; `renew` does so again. Never rejects. */
  async warm(): Promise<void> {
    this.#keepWarm = true
    await this.#ensureWarm()
  }

  /** A session stands: only now, so that it doesn't have to share the machine with a start for the next one. */
  async renew(wishes: SessionWishes): Promise<void> {
    this.#wishes = wishes
    if (this.#keepWarm) await this.#ensureWarm()
  }

  /** Ends the one that stands ready, and keeps none any more. Those of sessions go on. Never rejects. */
  async cool(): Promise<void> {
    this.#keepWarm = false
    await this.#dropWarm()
  }

  async #ensureWarm(): Promise<void> {
    const key = this.#keyOf(this.#wishes)
    if (this.#warm !== null && this.#warm.key !== key) await this.#dropWarm()
    if (!this.#keepWarm || this.#stop.signal.aborted) return
    this.#warm ??= this.#startWarm(key)
    await this.#warm.entry
  }

  #startWarm(key: string): WarmProgram {
    const stop = new AbortController()
    const { log, name } = this.#options
    const entry = this.#start({
      wishes: this.#wishes,
      sessionId: `warm-${randomUUID()}`,
      signal: AbortSignal.any([this.#stop.signal, stop.signal]),
      log,
    }).catch((error: unknown) => {
      // Called off is no news.
      if (!stop.signal.aborted && !this.#stop.signal.aborted)
        log(`${name} was not started ahead: ${error instanceof Error ? error.message : String(error)}`)
      return null
    })
    const warm: WarmProgram = { key, entry, stop }
    const forget = (): void => {
      if (this.#warm === warm) this.#warm = null
    }
    void entry.then((started) => (started === null ? forget() : started.connection.ended.then(forget)))
    return warm
  }

  /** One that a session has taken isn't here any more. */
  async #dropWarm(): Promise<void> {
    const warm = this.#warm
    if (warm === null) return
    this.#warm = null
    warm.stop.abort()
    const entry = await warm.entry
    if (entry !== null) await this.#end(entry)
  }

  /** Programs that run. */
  get size(): number {
    return this.#entries.size
  }

  /** Ends all of them. Idempotent. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.cool()
    await Promise.all([...this.#entries].map(async (entry) => this.#end(entry)))
  }

  #findShared(key: string, site: string | undefined): Entry | undefined {
    const { share, profile } = this.#options
    if (!share || !profile.sharesProcess || site === undefined) return undefined
    return [...this.#entries].find(
      (entry) => entry.holders > 0 && entry.site === site && entry.key === key && entry.connection.alive,
    )
  }

  /** One that is being started is waited for: that is no slower than starting another. */
  async #takeWarm(key: string): Promise<Entry | null> {
    const warm = this.#warm
    if (warm === null || key !== warm.key) return null
    this.#warm = null
    const entry = await warm.entry
    return entry?.connection.alive === true ? entry : null
  }

  async #start({ wishes, sessionId, signal, terminal, keepSignIn, log }: PoolRequest): Promise<Entry> {
    const { command, args, env, profile, launch, rule } = this.#options
    rule.before()
    const parts = profile.launch?.(wishes) ?? {}
    const process = await launch({
      command,
      args: withArgs(args, parts),
      env: { ...parts.env, ...env },
      files: parts.files,
      signIn: profile.signIn,
      ...(keepSignIn === true ? { keepSignIn } : {}),
      sessionId,
      signal,
    })
    const abort = (): void => void process.kill()
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    try {
      const connection = await AcpConnection.start(process, { ...this.#options, terminal }, log)
      await this.#mayStay(connection)
      const entry: Entry = { connection, key: this.#keyOf(wishes), site: undefined, holders: 0 }
      this.#entries.add(entry)
      void connection.ended.then(() => this.#entries.delete(entry))
      return entry
    } catch (error) {
      if (signal.aborted)
        throw new AgentError('failed', 'The session ended before its AI had started.', { cause: error })
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  async #mayStay(connection: AcpConnection): Promise<void> {
    try {
      this.#options.rule.started(connection)
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  #hold(entry: Entry): HeldProcess {
    let held = true
    return {
      connection: entry.connection,
      release: async (broken) => {
        if (held) {
          held = false
          entry.holders -= 1
        }
        if (broken || entry.holders === 0) await this.#end(entry)
      },
    }
  }

  async #end(entry: Entry): Promise<void> {
    await entry.connection.close()
    this.#entries.delete(entry)
  }

  #keyOf(wishes: SessionWishes): string {
    return JSON.stringify(this.#options.profile.launch?.(wishes) ?? {})
  }
}

function withArgs(command: readonly string[], { args = [], before }: LaunchParts): string[] {
  const at = before === undefined ? -1 : command.lastIndexOf(before)
  const place = at === -1 ? command.length : at
  return [...command.slice(0, place), ...args, ...command.slice(place)]
}
