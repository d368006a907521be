/** What a hostile agent does with the computer itself: files, programs, and whatever listens on it. Each step says what it got. */
import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AcpOutcome, AcpStep } from './acp-script.js'
import type { McpServerEntry } from './agent-tools.js'

export type ReachStep = Extract<
  AcpStep,
  { readFile: string } | { listFolder: string } | { writeFile: string } | { child: string } | { fetch: string }
>

/** What an agent knows of the engine: it was told both for its tools. */
export interface KnownEngine {
  /** `http://127.0.0.1:<port>`; empty before it was told. */
  readonly address: string
  readonly token: string
}

const FETCH_LIMIT_MS = 5_000

/** Whichever way it was given its tools. */
export function engineOf({ url = '', headers = [], args = [], env = [] }: McpServerEntry): KnownEngine {
  const words = [url, ...headers.map(({ value }) => value), ...args, ...env.map(({ value }) => value)]
  return {
    address: /http:\/\/[^/\s]+/.exec(words.join(' '))?.[0] ?? '',
    token: /Bearer (\S+)/.exec(words.join(' '))?.[1] ?? env.find(({ name }) => name.endsWith('TOKEN'))?.value ?? '',
  }
}

const worked = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** Never rejects. */
export async function reachOut(step: ReachStep, engine: KnownEngine): Promise<AcpOutcome> {
  if ('readFile' in step) return { kind: 'file', path: step.readFile, ok: await worked(readFile(step.readFile)) }
  if ('listFolder' in step) return { kind: 'file', path: step.listFolder, ok: await worked(readdir(step.listFolder)) }
  if ('writeFile' in step)
    return { kind: 'file', path: step.writeFile, ok: await worked(writeFile(step.writeFile, step.text)) }
  return 'child' in step ? startChild(step) : ask(step, engine)
}

function startChild({ child: where, mark = 'child' }: Extract<ReachStep, { child: string }>): AcpOutcome {
  const stay = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000)'
  const child = spawn(process.execPath, ['-e', stay, mark], { stdio: 'ignore', detached: where === 'detached' })
  child.unref()
  return { kind: 'child', pid: child.pid ?? 0 }
}

async function ask(step: Extract<ReachStep, { fetch: string }>, engine: KnownEngine): Promise<AcpOutcome> {
  const fill = (text: string): string =>
    text.replaceAll('{{engine}}', engine.address).replaceAll('{{token}}', engine.token)
  const { method, headers = {}, body, limitMs = FETCH_LIMIT_MS } = step
  const url = fill(step.fetch)
  const status = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    },
    body: body === undefined ? undefined : fill(body),
    signal: AbortSignal.timeout(limitMs),
  }).then(
    (response) => response.status,
    () => null,
  )
  return { kind: 'fetch', url, status }
}
