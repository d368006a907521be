/** What an installation tells while it runs. */

export const INSTALL_STAGES = ['waiting', 'fetching', 'unpacking', 'checking', 'done'] as const

export interface InstallProgress {
  readonly stage: (typeof INSTALL_STAGES)[number]
  /** For people. */
  readonly message: string
  /** While an archive comes. */
  readonly receivedBytes?: number
  /** Absent: the server doesn't say. */
  readonly totalBytes?: number
}

export type OnProgress = (progress: InstallProgress) => void
