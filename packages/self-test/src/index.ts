/** Public names of `@leuria/self-test`: whether an AI really works with a page. */
export { runSelfTest } from './self-test.js'
export type { BoxTest, SelfTestOptions, SelfTestResult, SelfTestStep } from './self-test.js'
