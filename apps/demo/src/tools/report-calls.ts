/** Lets the page see its own tools being called: with which arguments, and how each call ended. */
import type { PageTool } from '@leuria/client'

export type CallReport =
  | { kind: 'began'; callId: string; tool: string; args: unknown }
  | { kind: 'ended'; callId: string; tool: string; result: unknown }
  | { kind: 'failed'; callId: string; tool: string; error: string }

export function reportCalls(tools: readonly PageTool[], report: (call: CallReport) => void): PageTool[] {
  return tools.map((tool) => ({
    ...tool,
    async execute(args, context) {
      const call = { callId: context.callId, tool: tool.name }
      report({ kind: 'began', ...call, args })
      try {
        const result: unknown = await tool.execute(args, context)
        report({ kind: 'ended', ...call, result })
        return result
      } catch (error) {
        report({ kind: 'failed', ...call, error: error instanceof Error ? error.message : 'It did not work.' })
        throw error
      }
    },
  }))
}
