/** What the parts of the connect button are drawn from, and what their controls do. */
import type { ConnectionStatus, LeuriaError, ProviderSnapshot } from '@leuria/client'
import type { Words } from '../texts/text-choice.js'

export interface Scene {
  readonly words: Words
  readonly status: ConnectionStatus
  readonly error: LeuriaError | null
  /** Who answers through the visitor's own AI, in words; never empty. */
  readonly name: string
  readonly canManage: boolean
  /** Others that would answer, if the visitor chose them. */
  readonly alternatives: readonly ProviderSnapshot[]
  /** The command for those who have no Leuria yet. */
  readonly command: string
  /** Where to get Leuria; without it nothing is said about it. */
  readonly installHref: string | undefined
  /** Something went to the clipboard since the dialog opened. */
  readonly isCopied: boolean
}

export interface Actions {
  readonly retry: () => void
  readonly cancel: () => void
  readonly manage: () => void
  readonly disconnect: () => void
  readonly choose: (id: string) => void
  readonly copyCommand: () => void
  readonly share: () => void
}
