/** A request that can't be answered: becomes a JSON-RPC error, whichever way the request came. */

/** Codes of JSON-RPC 2.0 §5.1. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Of the range left to servers; what the MCP transport uses for refusals. */
  refused: -32000,
  /** The MCP transport's code for an unknown `Mcp-Session-Id`. */
  sessionNotFound: -32001,
} as const

/** Its `code`, message and `data` go to the client; the SDK reads the same fields. */
export class McpFault extends Error {
  override readonly name = 'McpFault'
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}
