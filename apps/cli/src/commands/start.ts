/** `leuria start`: starts the engine, tells what happens, ends cleanly on a signal. */
import type { AuditSink } from '@leuria/agent'
import { systemClock } from '@leuria/clock'
import { createEngine, type Engine, ENGINE_VERSION, ListenError, whoHoldsPort } from '@leuria/engine/start'
import type { ProcessEvent } from '@leuria/protocol'
import { resolveHome } from '@leuria/state/home'
import { type LaterAudit, openAuditLater } from '../audit-later.js'
import { bridgeCommand } from '../bridge-command.js'
import { portFromEnvironment } from '../chosen-port.js'
import { UserError } from '../fail.js'
import { createApprovalOpener } from '../open-approval.js'
import type { StatusView } from '../status/status-view.js'
import { createReporter, type Reporter } from './start-reporter.js'

/** The flags of `start` as typed. */
export interface StartFlags {
  port?: number
  agent?: string
  /** Agents that may run outside a sandbox, unchecked. */
  trust?: string[]
  /** Absent: open a browser unless another program reads along. */
  open?: boolean
  json?: boolean
  verbose?: boolean
  /** Lines one after another instead of a view that changes. */
  plain?: boolean
}

/** Resolves at the first SIGINT or SIGTERM, or when the terminal goes away. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => {
        resolve()
      })
  })
}

async function openEngine(
  flags: StartFlags,
  { reporter, audit }: { reporter: Reporter; audit: AuditSink },
): Promise<Engine> {
  const chosen = flags.port ?? portFromEnvironment()
  return createEngine({
    home: resolveHome(process.env),
    audit,
    bridgeCommand: await bridgeCommand(),
    mode: 'page',
    clock: systemClock,
    log: { warn: reporter.say, debug: flags.verbose === true ? reporter.say : () => undefined },
    listening: ({ port, url, agentName }) => {
      reporter.event({ event: 'ready', port, url, version: ENGINE_VERSION, agent: agentName })
    },
    ...(chosen === undefined ? {} : { port: chosen }),
    ...(flags.trust === undefined ? {} : { trustedAgents: flags.trust }),
    ...(flags.agent === undefined ? {} : { defaultAgent: flags.agent }),
  })
}

/** Tells programs through an event and people in words, then fails. */
async function explainFailure(error: unknown, reporter: Reporter): Promise<never> {
  if (!(error instanceof ListenError)) {
    const message = error instanceof Error ? error.message : String(error)
    reporter.event({ event: 'error', code: 'start_failed', message })
    throw error
  }
  const message =
    error.code === 'EADDRINUSE'
      ? `Port ${error.port} is taken: ${await whoHoldsPort(error.port)}. Stop it, or choose another port with --port.`
      : `Port ${error.port} can't be used (${error.code}). Choose another one with --port.`
  reporter.event({ event: 'error', code: error.code, message })
  throw new UserError(message, { cause: error })
}

function banner(engine: Engine): string {
  return [
    '',
    `  Leuria ${ENGINE_VERSION} is running at ${engine.url}`,
    `  Your AI: ${engine.agentName}`,
    `  Connected sites: ${engine.grants.list().length}`,
    '',
    '  Open a site that works with Leuria and press Connect there. Ctrl+C stops Leuria.',
    '',
  ].join('\n')
}

/** Shows each question where the visitor will see it. */
function watchPairings(engine: Engine, flags: StartFlags, reporter: Reporter): () => Promise<void> {
  const opener = createApprovalOpener({ clock: systemClock, onFailure: reporter.say })
  const opens = flags.open ?? flags.json !== true
  const show = (event: ProcessEvent): void => {
    reporter.event(event)
    if (event.event === 'pairing') {
      reporter.say(`${event.origin} asks to use your AI. Answer here: ${event.approveUrl}`)
      if (opens) void opener.open(event)
    }
    if (event.event === 'pairing_decided') reporter.say(`${event.origin}: ${event.allowed ? 'allowed' : 'not now'}.`)
  }
  const unsubscribe = engine.subscribe(show)
  return async () => {
    unsubscribe()
    await opener.close()
  }
}

/** The log, and where else its entries go once there is a view. */
interface Told {
  audit: LaterAudit
  sink: AuditSink
  show: (view: StatusView | null) => void
}

function openTold(reporter: Reporter): Told {
  const audit = openAuditLater({ home: resolveHome(process.env), log: reporter.say })
  let view: StatusView | null = null
  return {
    audit,
    sink: {
      record(entry, at = systemClock.date()) {
        audit.record(entry, at)
        view?.entry(entry, at)
      },
    },
    show: (next) => {
      view = next
    },
  }
}

/** A view in a terminal, else the banner. `null`: there is no view. */
async function openView(engine: Engine, flags: StartFlags, reporter: Reporter): Promise<StatusView | null> {
  const isPlain = flags.json === true || flags.plain === true || flags.verbose === true
  // A terminal that can take lines back.
  const canRedraw = process.stdout.isTTY && process.env.TERM !== 'dumb' && process.env.CI === undefined
  if (isPlain || !canRedraw) {
    reporter.say(banner(engine))
    return null
  }
  const { openStatusView } = await import('../status/status-view.js')
  const view = openStatusView(engine, { output: process.stdout, clock: systemClock })
  reporter.redirect(view.print)
  return view
}

async function sayFirstAi(reporter: Reporter): Promise<void> {
  try {
    const { takeFirstAi } = await import('../first-ai.js')
    const words = await takeFirstAi()
    if (words !== null) reporter.say(words)
  } catch (error) {
    reporter.say(`No AI could be looked for: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Runs until a signal comes. @throws UserError when the engine can't start */
export async function start(flags: StartFlags): Promise<void> {
  const reporter = createReporter(flags.json === true)
  const stopped = untilSignal()
  const { audit, sink, show } = openTold(reporter)
  const engine = await openEngine(flags, { reporter, audit: sink }).catch((error: unknown) =>
    explainFailure(error, reporter),
  )
  const view = await openView(engine, flags, reporter)
  show(view)
  const unwatch = watchPairings(engine, flags, reporter)
  // Sites are served meanwhile; the engine follows the choice once it is written.
  if (flags.agent === undefined) void sayFirstAi(reporter)
  await stopped
  await unwatch()
  view?.end()
  reporter.redirect(null)
  await engine.close()
  await audit.close()
}
