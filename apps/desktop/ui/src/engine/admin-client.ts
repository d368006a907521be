/** The window's requests to the engine: one place that knows the address and the token, and parses every answer. */
import * as z from 'zod/mini'

/** Where the engine is, and what lets the window in. Handed over once by the program that opened the window. */
export interface EngineConnection {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly token: string
}

/** How long a quick request may take: the engine is on this computer. */
const QUICK_LIMIT_MS = 15_000

/** A request that didn't succeed. `message` is for people: the engine's own words, or ours when it said nothing. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  constructor(
    message: string,
    /** 0: nothing came back. */
    readonly status: number,
    /** The engine's own word for what went wrong, for branching. */
    readonly code?: string,
  ) {
    super(message)
  }
}

const errorBody = z.looseObject({ error: z.string(), code: z.optional(z.string()) })

export interface SendOptions {
  body?: unknown
  signal?: AbortSignal
  /** Installing, signing in and testing take minutes; what goes on comes over the feed. @default false */
  isLong?: boolean
}

export class AdminClient {
  readonly #connection: EngineConnection

  constructor(connection: EngineConnection) {
    this.#connection = connection
  }

  /** @throws RequestError */
  get<Schema extends z.ZodMiniType>(path: string, schema: Schema, signal?: AbortSignal): Promise<z.output<Schema>> {
    return this.send('GET', path, { schema, ...(signal === undefined ? {} : { signal }) })
  }

  /** @throws RequestError */
  post<Schema extends z.ZodMiniType>(
    path: string,
    { schema, ...options }: SendOptions & { schema: Schema },
  ): Promise<z.output<Schema>> {
    return this.send('POST', path, { body: {}, schema, ...options })
  }

  /** @throws RequestError */
  remove<Schema extends z.ZodMiniType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    return this.send('DELETE', path, { schema })
  }

  /** The feed's raw answer: `feed.ts` reads it. @throws RequestError */
  async open(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const answer = await this.#fetch('GET', path, { signal, isLong: true })
    if (!answer.ok || answer.body === null) throw await readError(answer)
    return answer.body
  }

  async send<Schema extends z.ZodMiniType>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { schema, ...options }: SendOptions & { schema: Schema },
  ): Promise<z.output<Schema>> {
    const answer = await this.#fetch(method, path, options)
    if (!answer.ok) throw await readError(answer)
    const parsed = schema.safeParse(await answer.json().catch(() => null))
    if (!parsed.success)
      throw new RequestError('Leuria gave an answer that this window does not understand.', answer.status)
    return parsed.data
  }

  async #fetch(method: string, path: string, { body, signal, isLong = false }: SendOptions): Promise<Response> {
    const limits = [signal, isLong ? undefined : AbortSignal.timeout(QUICK_LIMIT_MS)].filter((one) => one !== undefined)
    const headers: Record<string, string> = { authorization: `Bearer ${this.#connection.token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    try {
      return await fetch(`${this.#connection.url}/admin/${path}`, {
        method,
        headers,
        signal: AbortSignal.any(limits),
        cache: 'no-store',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    } catch (error) {
      if (signal?.aborted === true) throw error
      throw new RequestError('Leuria does not answer. It may be starting again.', 0)
    }
  }
}

async function readError(answer: Response): Promise<RequestError> {
  const parsed = errorBody.safeParse(await answer.json().catch(() => null))
  const { error, code } = parsed.success ? parsed.data : { error: 'That did not work.', code: undefined }
  return new RequestError(error, answer.status, code)
}
