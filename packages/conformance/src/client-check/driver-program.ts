/**
 * A client under test in a program of its own (one that drives a browser, or another language): JSON lines both ways. The kit
 * writes steps to its stdin, it writes what happens to its stdout; the README has the lines.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { ClauseBroken } from '../report/observe.js'
import type { ClientPage, ClientSession, ClientStatus, ClientTool, PageParts } from './client-page.js'

/** How long a step may take; attempts to connect go on for longer than anything else. */
const STEP_LIMIT_MS = 45_000

const state = z.object({
  status: z.optional(z.enum(['not-connected', 'connecting', 'connected', 'not-running', 'declined'])),
  shown: z.optional(z.array(z.string())),
  sessions: z.optional(z.record(z.string(), z.object({ text: z.string(), outcome: z.nullable(z.string()) }))),
})

const line = z.union([
  z.object({
    id: z.number(),
    ok: z.boolean(),
    origin: z.optional(z.string()),
    session: z.optional(z.string()),
    error: z.optional(z.string()),
  }),
  z.object({ clicked: z.number(), links: z.array(z.string()) }),
  z.object({ page: z.number(), link: z.string() }),
  z.object({ page: z.number(), state }),
])

type Done = Extract<z.infer<typeof line>, { id: number }>

class DriverSession implements ClientSession {
  constructor(
    private readonly page: DriverPage,
    private readonly id: string,
  ) {}

  prompt(text: string): Promise<unknown> {
    return this.page.step('prompt', { session: this.id, text })
  }

  close(): Promise<unknown> {
    return this.page.step('close', { session: this.id })
  }

  outcome(): string | null {
    return this.page.state.sessions?.[this.id]?.outcome ?? null
  }

  text(): string {
    return this.page.state.sessions?.[this.id]?.text ?? ''
  }
}

class DriverPage implements ClientPage {
  state: z.infer<typeof state> = {}
  origin: string | undefined
  #clicked: Promise<void> = Promise.resolve()

  constructor(
    readonly number: number,
    readonly openLink: (link: string) => void,
    private readonly driver: DriverProgram,
  ) {}

  step(what: string, more: object = {}): Promise<Done> {
    return this.driver.step({ page: this.number, do: what, ...more }).done
  }

  connect(): Promise<unknown> {
    const { done, clicked } = this.driver.step({ page: this.number, do: 'connect' })
    this.#clicked = clicked.then((links) => {
      for (const link of links) this.openLink(link)
    })
    return done
  }

  clicked(): Promise<void> {
    return this.#clicked
  }

  detect(): Promise<unknown> {
    return this.step('detect')
  }

  async startSession({ prompt, tools }: { prompt?: string; tools: readonly ClientTool[] }): Promise<ClientSession> {
    const declared = tools.map(({ name, description, says, fails }) => ({ name, description, says, fails }))
    const { session = '' } = await this.step('start', { prompt, tools: declared })
    return new DriverSession(this, session)
  }

  status(): ClientStatus {
    return this.state.status ?? 'not-connected'
  }

  shown(): readonly string[] {
    return this.state.shown ?? []
  }

  leave(): void {
    this.step('leave').catch(() => undefined)
  }

  close(): Promise<unknown> {
    return this.step('end')
  }
}

export class DriverProgram {
  readonly #child: ChildProcess
  readonly #pages = new Map<number, DriverPage>()
  readonly #waiting = new Map<number, { done: (line: Done) => void; clicked: (links: readonly string[]) => void }>()
  /** Storages by number: pages of one share what they keep. */
  readonly #storages = new Map<object, number>()
  #steps = 0
  #ended: string | null = null

  /** @param command the program and its arguments */
  constructor([program = '', ...args]: readonly string[]) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.on('error', () => {
      this.#end('the program could not be started')
    })
    this.#child.on('exit', () => {
      this.#end('the program ended')
    })
    this.#child.stdin?.on('error', () => undefined)
    if (this.#child.stdout !== null)
      createInterface({ input: this.#child.stdout }).on('line', (text) => {
        this.#take(text)
      })
  }

  /** Opens a page of the program: what `checkClient` takes as `openPage`. */
  readonly openPage = async ({ url, origin, storage, openLink }: PageParts): Promise<ClientPage> => {
    const number = this.#pages.size + 1
    const page = new DriverPage(number, openLink, this)
    this.#pages.set(number, page)
    const known = this.#storages.get(storage) ?? this.#storages.size + 1
    this.#storages.set(storage, known)
    const opened = await page.step('open', { url, origin, storage: known })
    page.origin = opened.origin
    return page
  }

  /** Writes a step. `done` rejects when the step failed, or took too long; `clicked` is for connect. */
  step(what: object): { done: Promise<Done>; clicked: Promise<readonly string[]> } {
    this.#steps += 1
    const id = this.#steps
    let onClick: (links: readonly string[]) => void = () => undefined
    const clicked = new Promise<readonly string[]>((resolve) => (onClick = resolve))
    const done = new Promise<Done>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new ClauseBroken(`the program did not do this within ${STEP_LIMIT_MS / 1_000} s: ${JSON.stringify(what)}`),
        )
      }, STEP_LIMIT_MS)
      const end = (answer: Done): void => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        onClick([])
        if (answer.ok) resolve(answer)
        else reject(new ClauseBroken(answer.error ?? 'the step failed'))
      }
      this.#waiting.set(id, { done: end, clicked: onClick })
    })
    if (this.#ended !== null) this.#end(this.#ended)
    this.#child.stdin?.write(`${JSON.stringify({ id, ...what })}\n`)
    return { done, clicked }
  }

  close(): void {
    this.#child.stdin?.end()
    this.#child.kill()
    this.#end('the program was stopped')
  }

  /** Nothing more comes from it. */
  #end(why: string): void {
    this.#ended ??= why
    for (const [id, { done }] of this.#waiting) done({ id, ok: false, error: this.#ended })
  }

  #take(text: string): void {
    const read = parse(text)
    if (read === null) return
    if ('id' in read) this.#waiting.get(read.id)?.done(read)
    else if ('clicked' in read) this.#waiting.get(read.clicked)?.clicked(read.links)
    else {
      const page = this.#pages.get(read.page)
      if (page === undefined) return
      if ('link' in read) page.openLink(read.link)
      else page.state = { ...page.state, ...read.state }
    }
  }
}

/** Null: a line for people. */
function parse(text: string): z.infer<typeof line> | null {
  try {
    const read = z.safeParse(line, JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
