/** An ACP agent's own start, with nothing around it: a plain process, the two requests it takes, and tools that answer at once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'

export const ACP_AGENT = fileURLToPath(new URL('../floors/acp-agent.mjs', import.meta.url))
const MCP_HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '0' } },
})
const answer = z.object({ id: z.number() })

/** In ms: from the start of the program to its session, and from asking one that has started. */
export interface AgentStart {
  cold: number
  warm: number
}

export async function timeAgent(): Promise<AgentStart> {
  const tools = await toolServer()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [ACP_AGENT], { stdio: ['pipe', 'pipe', 'ignore'] })
  try {
    await ask(child, { id: 1, method: 'initialize', params: { protocolVersion: 1 } })
    const askedAt = performance.now()
    const mcpServers = [{ type: 'http', name: 'webmcp', url: urlOf(tools), headers: [] }]
    await ask(child, { id: 2, method: 'session/new', params: { cwd: '/', mcpServers } })
    const now = performance.now()
    return { cold: now - startedAt, warm: now - askedAt }
  } finally {
    child.kill('SIGKILL')
    tools.close()
  }
}

function toolServer(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end(MCP_HELLO))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(server)
    })
  })
}

function urlOf(server: Server): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`
}

/** Rejects when the program ends first. */
function ask(child: ChildProcess, request: { id: number; method: string; params: object }): Promise<void> {
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('unreachable: it has pipes')
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdout })
    lines.on('line', (line) => {
      if (answer.safeParse(JSON.parse(line)).data?.id !== request.id) return
      lines.close()
      resolve()
    })
    child.once('exit', () => {
      reject(new Error('the agent ended'))
    })
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)
  })
}
