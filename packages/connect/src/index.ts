/** Public names of `@leuria/connect`. Importing it makes the elements known to the browser. */
import { registerElements } from './register.js'

export { LeuriaBadge } from './badge/leuria-badge.js'
export { LeuriaConnectButton } from './button/connect-button.js'
export { setDefaultAppearance, setDefaultClient } from './element/defaults.js'
export type { Appearance } from './element/defaults.js'
export { LeuriaAIStatus } from './status/ai-status.js'
export type { StatusLabels } from './status/ai-status.js'
export type { TextKey, Texts } from './texts/english.js'
export { setTexts } from './texts/text-choice.js'
export type { SomeTexts } from './texts/text-choice.js'

registerElements()
