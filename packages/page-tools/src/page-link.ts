/**
 * What page tools need from whoever holds the page's channel.
 * `@leuria/webmcp-relay` implements it; time limits, checks and shapes stay on this side.
 */

/** How the page, or the way to it, answered. */
export type PageAnswer =
  /** `content` is the additive field of `toolResponse`, unchecked. */
  { ok: true; result: unknown; content?: unknown } | { ok: false; code: PageAnswerFailure; error: string }

/** Ends that only the channel can know about; the other `ToolFailure`s are made here. */
export type PageAnswerFailure = 'page_error' | 'not_connected' | 'session_ended' | 'too_large'

export interface PageLink {
  /** Asks the page to run a tool. `id` is unique. Never rejects; may stay open until `cancel(id)`. */
  callTool(call: { id: string; tool: string; arguments: unknown }): Promise<PageAnswer>
  readResource(call: { id: string; uri: string }): Promise<PageAnswer>
  getPrompt(call: { id: string; name: string; arguments: unknown }): Promise<PageAnswer>
  /** Nobody waits for this call any more: forget it and tell the page. Its answer is ignored. Unknown ids do nothing. */
  cancel(id: string): void
}
