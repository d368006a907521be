/** Public names of `@leuria/testing`: fakes and contract suites. Never a runtime dependency. */
export { fakeClock, settle } from './fake-clock.js'
export type { FakeClock } from './fake-clock.js'
