/**
 * The browser's WebMCP entry point (https://webmachinelearning.github.io/webmcp/) with an agent behind it, for pages and
 * tests in Node: what a page registers can be called as an agent would. It runs in browsers too: no Node code.
 */

export interface FakeContextTool {
  name: string
  description: string
  inputSchema?: object
  annotations?: object
  execute: (input: object, options: object) => unknown
}

export interface FakeModelContextOptions {
  /** Browsers before `document.modelContext`: failures are thrown, `unregisterTool` and `provideContext` exist. @default false */
  old?: boolean
}

/** A name that agents take. */
const TOOL_NAME = /^[\w.-]{1,128}$/

export class FakeModelContext extends EventTarget {
  readonly tools = new Map<string, FakeContextTool>()
  readonly unregisterTool?: (name: string) => void
  readonly provideContext?: (context: { tools?: readonly FakeContextTool[] }) => void
  readonly #isOld: boolean

  constructor({ old = false }: FakeModelContextOptions = {}) {
    super()
    this.#isOld = old
    if (!old) return
    this.unregisterTool = (name) => {
      this.#remove(name)
    }
    this.provideContext = ({ tools = [] }) => {
      this.tools.clear()
      for (const tool of tools) this.#add(tool)
    }
  }

  /** Rejects (old browsers: throws) names that are taken or empty, and what isn't whole. An aborted signal takes the tool away. */
  registerTool(tool: FakeContextTool, { signal }: { signal?: AbortSignal } = {}): Promise<void> | undefined {
    if (this.#isOld) {
      this.#add(tool)
      return undefined
    }
    if (signal?.aborted === true) return Promise.reject(new DOMException('Aborted.', 'AbortError'))
    try {
      this.#add(tool)
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)))
    }
    signal?.addEventListener('abort', () => {
      this.#remove(tool.name)
    })
    return Promise.resolve()
  }

  /** What a browser's agent does: gives the input, gets the result as JSON, or null for a failure. */
  async call(
    name: string,
    input: object = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string | null> {
    const tool = this.tools.get(name)
    if (tool === undefined) throw new DOMException(`No tool ${name}.`, 'NotFoundError')
    try {
      return JSON.stringify(await tool.execute(input, { signal }))
    } catch {
      return null
    }
  }

  /** Puts it where pages look; returns the undo. */
  install(where: 'document' | 'navigator'): () => void {
    const found: unknown = Reflect.get(globalThis, where)
    const made = typeof found !== 'object' || found === null
    const owner: object = made ? {} : found
    if (made) Object.defineProperty(globalThis, where, { value: owner, configurable: true, writable: true })
    Object.defineProperty(owner, 'modelContext', { value: this, configurable: true, writable: true })
    return () => {
      if (made) Reflect.deleteProperty(globalThis, where)
      else Reflect.deleteProperty(owner, 'modelContext')
    }
  }

  #add(tool: FakeContextTool): void {
    if (!TOOL_NAME.test(tool.name) || tool.description === '' || this.tools.has(tool.name)) {
      throw new DOMException(`The tool ${tool.name} can't be registered.`, 'InvalidStateError')
    }
    if (typeof tool.execute !== 'function') throw new TypeError('execute is missing')
    this.tools.set(tool.name, tool)
    this.dispatchEvent(new Event('toolchange'))
  }

  #remove(name: string): void {
    if (this.tools.delete(name)) this.dispatchEvent(new Event('toolchange'))
  }
}

/** A browser with agents of its own. */
export function fakeModelContext(options?: FakeModelContextOptions): FakeModelContext {
  return new FakeModelContext(options)
}
