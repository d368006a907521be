/** Public names of `@leuria/grant-store`: the sites' permissions on disk and in memory. */
export { openGrantStore } from './grant-store.js'
export type { GrantStore, GrantStoreOptions, IssueInput } from './grant-store.js'
export type { AiChoice, ModelChoice } from './grant-edit.js'
export type { GrantChange } from './grant-index.js'
