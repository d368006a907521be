/** Every bound of this package, with its reason. All waits of an adapter end by one of these. */

export interface AcpLimits {
  /** Longest message from an agent, in bytes. Longer ones are dropped; an image in base64 fits. @default 32 Mi */
  maxMessageBytes: number
  /** From the start of the program to its answer to `initialize`. npm wrappers and cold disks take seconds. @default 30_000 */
  initializeMs: number
  /** For `session/new` and the like. Agents ask their service on the way. @default 30_000 */
  requestMs: number
  /** How long an agent may take, once its session stands, to come to the tools before the other way is tried. @default 8_000 */
  toolsConnectMs: number
  /** From `session/cancel` to the answer of the prompt (FC-16): after that the session has failed. @default 10_000 */
  cancelMs: number
  /** A turn without a sign of life. A page may take 10 minutes for a call, so this is longer. @default 900_000 */
  silenceMs: number
  /** How long a tool with effects outside the page may be seen running before it must have asked. @default 2_000 */
  askMs: number
  /** After the end of the program, for what it wrote last. @default 500 */
  drainMs: number
  /** For `session/close`: a courtesy, no more. @default 1_000 */
  goodbyeMs: number
  /** Events of a turn that wait to be read before the agent's output is left in its pipe. @default 1_000 */
  maxWaitingEvents: number
  /** Tool calls remembered in a session; the oldest finished ones are forgotten. @default 2_000 */
  maxToolCalls: number
}

export const ACP_LIMITS: Readonly<AcpLimits> = {
  maxMessageBytes: 32 * 1024 * 1024,
  initializeMs: 30_000,
  requestMs: 30_000,
  toolsConnectMs: 8_000,
  cancelMs: 10_000,
  silenceMs: 15 * 60_000,
  askMs: 2_000,
  drainMs: 500,
  goodbyeMs: 1_000,
  maxWaitingEvents: 1_000,
  maxToolCalls: 2_000,
}
