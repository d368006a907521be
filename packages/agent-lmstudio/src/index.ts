/** Public names of `@leuria/agent-lmstudio`: LM Studio's models as AIs. */
export { createLmStudioService } from './lm-studio-service.js'
export type { LmStudioProvider, LmStudioServiceOptions } from './lm-studio-service.js'
