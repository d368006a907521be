/**
 * The program around the window: where the engine is, what stands in the way, and which site's settings a link asked for.
 * It puts `leuriaDesktop` into this page and tells every change by the event `leuria:desktop`.
 */
import * as z from 'zod/mini'

const desktopState = z.looseObject({
  engine: z.nullable(z.looseObject({ port: z.number(), token: z.string() })),
  problem: z.nullable(z.looseObject({ code: z.string(), message: z.string() })),
  site: z.nullable(z.looseObject({ origin: z.string(), serial: z.number() })),
})

type Call = (argument?: string) => void
const isCall = (value: unknown): value is Call => typeof value === 'function'
const desktopCalls = z.looseObject({
  retry: z.custom<Call>(isCall),
  quit: z.custom<Call>(isCall),
  openPage: z.custom<Call>(isCall),
})

export type DesktopState = z.output<typeof desktopState>

const EVENT = 'leuria:desktop'
const STARTING: DesktopState = { engine: null, problem: null, site: null }

let last: { from: unknown; state: DesktopState } = { from: undefined, state: STARTING }

function current(): unknown {
  return Reflect.get(window, 'leuriaDesktop')
}

/** The same object until the program says something else. */
export function readDesktop(): DesktopState {
  const from = current()
  if (from !== last.from) {
    const parsed = desktopState.safeParse(from)
    last = { from, state: parsed.success ? parsed.data : STARTING }
  }
  return last.state
}

/** Returns its undo. */
export function onDesktop(listener: () => void): () => void {
  addEventListener(EVENT, listener)
  return () => {
    removeEventListener(EVENT, listener)
  }
}

/** Asks the program for something. In a window without one it does nothing. */
export function askDesktop(what: 'retry' | 'quit' | 'openPage', argument?: string): void {
  const calls = desktopCalls.safeParse(current())
  if (calls.success) calls.data[what](argument)
}
