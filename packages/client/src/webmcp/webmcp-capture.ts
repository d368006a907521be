/**
 * `@leuria/client/webmcp-capture`: a script that a page loads before its own. It keeps what the page registers for the
 * browser's agents (WebMCP), which goes on to the browser; where the browser has none it stands in. `capturedTools` reads it.
 * It imports and exports nothing, so that it is a plain script too (`<script src>`), and may be loaded twice.
 */
{
  interface Descriptor {
    readonly name: string
  }
  type Methods = Record<string, ((...call: unknown[]) => unknown) | undefined>
  interface Owner {
    modelContext?: Methods
  }

  const tools = new Set<Descriptor>()
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of [...listeners]) listener()
  }
  const remove = (tool: Descriptor): void => {
    if (tools.delete(tool)) changed()
  }
  /** A browser refuses what is no tool; an older one, or none, may take it. */
  const add = (tool: Descriptor | null | undefined, signal?: AbortSignal): void => {
    if (!tool || signal?.aborted) return
    signal?.addEventListener('abort', () => {
      remove(tool)
    })
    tools.add(tool)
    changed()
  }
  const clear = (): void => {
    tools.clear()
    changed()
  }

  /** The browser's own part comes first: when that throws, nothing is kept. */
  const wrap = (owner: Methods, name: string, after: (call: unknown[], result: unknown) => void): void => {
    const own = owner[name]
    if (!own) return
    owner[name] = (...call) => {
      const result = own.apply(owner, call)
      after(call, result)
      return result
    }
  }

  const watch = (context: Methods): void => {
    wrap(context, 'registerTool', (call, result) => {
      const [tool, options] = call as [Descriptor, ({ signal?: AbortSignal } | null)?]
      const undo = (): void => {
        remove(tool)
      }
      add(tool, options?.signal)
      // Newer browsers refuse later; some older ones give the undo back.
      Promise.resolve(result).catch(undo)
      if (result) wrap(result as Methods, 'unregister', undo)
    })
    wrap(context, 'unregisterTool', ([name]) => {
      for (const tool of tools) if (tool.name === name) remove(tool)
    })
    wrap(context, 'clearContext', clear)
    wrap(context, 'provideContext', (call) => {
      const [context] = call as [({ tools?: Descriptor[] | null } | null)?]
      clear()
      for (const tool of context?.tools ?? []) add(tool)
    })
  }

  const nothing = (): undefined => undefined
  const standIn = (): Methods =>
    Object.assign(new EventTarget(), {
      registerTool: (tool: unknown) =>
        [...tools].some(({ name }) => name === (tool as Descriptor | undefined)?.name)
          ? Promise.reject(new DOMException('This name is taken.', 'InvalidStateError'))
          : Promise.resolve(),
      unregisterTool: nothing,
      clearContext: nothing,
      provideContext: nothing,
    }) as object as Methods

  const place = globalThis as { leuriaWebMCP?: object; document?: Owner; navigator?: Owner }
  const { document: page, navigator: browser = {} } = place
  const owners = [page ?? {}, browser]
  if (page && !place.leuriaWebMCP) {
    place.leuriaWebMCP = { tools, listeners }
    const found = new Set(owners.flatMap(({ modelContext }) => (modelContext ? [modelContext] : [])))
    if (found.size === 0) {
      const value = standIn()
      for (const owner of owners) Object.defineProperty(owner, 'modelContext', { value, configurable: true })
      found.add(value)
    }
    found.forEach(watch)
  }
}
