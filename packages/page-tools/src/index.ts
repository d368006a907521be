/** Public names of `@leuria/page-tools`: what a page offers to an AI, and calls to it. */
export { createPageTools } from './declared-page-tools.js'
export type { DeclaredPageTools, PageToolsOptions } from './declared-page-tools.js'
export type { Declared } from './page-declarations.js'
export type { PageAnswer, PageAnswerFailure, PageLink } from './page-link.js'
export { TOOL_LIMITS } from './tool-limits.js'
export type { ToolLimits } from './tool-limits.js'
