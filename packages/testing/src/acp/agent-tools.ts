/** The agent's side of MCP: comes to the server it was given, over HTTP or over a program's pipes, and calls tools. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

export interface ToolResult {
  text: string
  failed: boolean
}

export interface AgentTools {
  call(name: string, args: object, signal: AbortSignal): Promise<ToolResult>
  close(): void
}

/** As `session/new` has it. */
export interface McpServerEntry {
  type?: string
  name: string
  url?: string
  headers?: { name: string; value: string }[]
  command?: string
  args?: string[]
  env?: { name: string; value: string }[]
}

const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'scripted', version: '0' } }

interface McpResult {
  content?: { text?: string }[]
  isError?: boolean
}

interface McpAnswer {
  result: McpResult
}

type Ask = (method: string, params: object, signal?: AbortSignal) => Promise<McpResult>

export async function openAgentTools(server: McpServerEntry): Promise<AgentTools> {
  const { ask, close } = server.command === undefined ? overHttp(server) : overPipes(server)
  await ask('initialize', INITIALIZE)
  return {
    close,
    async call(name, args, signal) {
      const result = await ask('tools/call', { name, arguments: args }, signal)
      return { text: result.content?.map(({ text }) => text ?? '').join('') ?? '', failed: result.isError === true }
    },
  }
}

function overHttp({ url = '', headers = [] }: McpServerEntry): { ask: Ask; close: () => void } {
  let count = 0
  const post = async (message: object): Promise<Response> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': 'scripted-http',
        ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    if (!response.ok) throw new Error(`MCP answered ${response.status}`)
    return response
  }
  return {
    close: () => undefined,
    async ask(method, params, signal) {
      const id = (count += 1)
      const answer = post({ id, method, params }).then(async (response) => (await response.json()) as McpAnswer)
      const taken = new Promise<never>((_, reject) => {
        const takeBack = (): void => {
          void post({ method: 'notifications/cancelled', params: { requestId: id } }).finally(() => {
            reject(new Error('The call was taken back.'))
          })
        }
        if (signal?.aborted === true) takeBack()
        else signal?.addEventListener('abort', takeBack)
      })
      answer.catch(() => undefined)
      return (await Promise.race([answer, taken])).result
    },
  }
}

function overPipes({ command = '', args = [], env = [] }: McpServerEntry): { ask: Ask; close: () => void } {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
  })
  child.on('error', () => undefined)
  return { ask: pipeAsker(child.stdin, child.stdout), close: () => child.kill() }
}

function pipeAsker(stdin: Writable, stdout: Readable): Ask {
  const open = new Map<number, (result: McpResult) => void>()
  let count = 0
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id: number; result: McpResult }
    open.get(id)?.(result)
    open.delete(id)
  })
  return (method, params) => {
    const id = (count += 1)
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return new Promise((resolve) => open.set(id, resolve))
  }
}
