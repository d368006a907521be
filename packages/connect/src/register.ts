/** Makes the elements known to the browser; on a server, and when it was done before, nothing happens. */
import { LeuriaBadge } from './badge/leuria-badge.js'
import { LeuriaConnectButton } from './button/connect-button.js'
import { LeuriaAIStatus } from './status/ai-status.js'

const ELEMENTS: Readonly<Record<string, CustomElementConstructor>> = {
  'leuria-connect-button': LeuriaConnectButton,
  'leuria-ai-status': LeuriaAIStatus,
  'leuria-badge': LeuriaBadge,
}

/** Two copies of this package on one page share the first one's elements. */
export function registerElements(): void {
  if (typeof customElements === 'undefined') return
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (customElements.get(name) === undefined) customElements.define(name, element)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'leuria-connect-button': LeuriaConnectButton
    'leuria-ai-status': LeuriaAIStatus
    'leuria-badge': LeuriaBadge
  }
}
