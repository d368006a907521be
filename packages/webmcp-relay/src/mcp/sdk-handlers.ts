/** One of the SDK's servers with our operations as its handlers. The SDK wants a server for each session or request. */
import type { PageTools } from '@leuria/agent'
import { MCP_SERVER_NAME } from '@leuria/protocol'
import type { HandlerResultTypeMap, Server, ServerContext } from '@modelcontextprotocol/server'
import type { RelayContext } from '../relay-context.js'
import { type OperationName, OPERATIONS, paramsOf } from './operations.js'
import type { Sdk } from './sdk-server.js'

/** Progress is shown this often to clients that asked for it; sooner than the SDK's own sign of life. */
const PROGRESS_MS = 10_000

const CAPABILITIES = { tools: { listChanged: true }, resources: { listChanged: true }, prompts: { listChanged: true } }
const INSTRUCTIONS = 'These are the tools of a web page that the visitor has open. They run in the page.'

/** All but `ping`, which the SDK answers itself. */
type ServedOperation = Exclude<OperationName, 'ping'>

export function createSdkServer({
  sdk,
  context,
  tools,
}: {
  sdk: Sdk
  context: RelayContext
  tools: PageTools
}): Server {
  const info = { name: MCP_SERVER_NAME, version: context.version }
  const server = new sdk.Server(info, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS })
  const run = async <Name extends ServedOperation>(name: Name, params: unknown, call: ServerContext) => {
    const stopProgress = reportProgress(context, call)
    try {
      // Our own values in the SDK's words: operations make exactly what MCP defines for the method.
      return (await OPERATIONS[name](tools, paramsOf(params), call.mcpReq.signal)) as HandlerResultTypeMap[Name]
    } finally {
      stopProgress()
    }
  }
  server.setRequestHandler('tools/list', (request, call) => run('tools/list', request.params, call))
  server.setRequestHandler('tools/call', (request, call) => run('tools/call', request.params, call))
  server.setRequestHandler('resources/list', (request, call) => run('resources/list', request.params, call))
  server.setRequestHandler('resources/templates/list', (request, call) =>
    run('resources/templates/list', request.params, call),
  )
  server.setRequestHandler('resources/read', (request, call) => run('resources/read', request.params, call))
  server.setRequestHandler('prompts/list', (request, call) => run('prompts/list', request.params, call))
  server.setRequestHandler('prompts/get', (request, call) => run('prompts/get', request.params, call))
  return server
}

/** Shows a client that asked for it that the call is alive. Returns a way to stop. */
function reportProgress({ clock, log }: RelayContext, { mcpReq }: ServerContext): () => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  const startedAt = clock.now()
  const schedule = () =>
    clock.setTimer(PROGRESS_MS, () => {
      cancel = schedule()
      const progress = Math.round((clock.now() - startedAt) / 1000)
      const params = { progressToken, progress, message: 'Waiting for the page' }
      mcpReq.notify({ method: 'notifications/progress', params }).catch((error: unknown) => {
        log(`MCP: progress was not told: ${String(error)}`)
      })
    })
  let cancel = schedule()
  return () => {
    cancel()
  }
}
