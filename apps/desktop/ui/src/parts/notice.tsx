import type { ReactNode } from 'react'

/** A sentence that matters now; errors are said by screen readers at once. */
export function Notice({ kind = 'info', children }: { kind?: 'info' | 'error' | 'good'; children: ReactNode }) {
  return (
    <p className={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </p>
  )
}
