/** `@leuria/testing/browser-fakes`: what newer browsers have, played by scripts. Runs in pages too. */
export { FakeLanguageModel, fakeLanguageModel } from './fake-language-model.js'
export type {
  FakeAvailability,
  FakeContent,
  FakeCreateOptions,
  FakeLanguageModelApi,
  FakeLanguageModelOptions,
  FakeModelAnswer,
  FakeModelMessage,
  FakeModelStep,
  FakeModelTool,
} from './fake-language-model.js'
export { FakeModelSession } from './fake-model-session.js'
export type { FakePromptOptions } from './fake-model-session.js'
export { FakeModelContext, fakeModelContext } from './fake-model-context.js'
export type { FakeContextTool, FakeModelContextOptions } from './fake-model-context.js'
