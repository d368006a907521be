/** What ends together with a component: when it is gone for good, and when the page is left. */
import { useEffect, useRef } from 'react'

/** `end` may be called more than once. StrictMode's rehearsal, which unmounts and mounts at once, ends nothing. */
export function useEnd(end: () => void): void {
  const stands = useRef(false)
  useEffect(() => {
    stands.current = true
    addEventListener('pagehide', end)
    return () => {
      stands.current = false
      removeEventListener('pagehide', end)
      queueMicrotask(() => {
        if (!stands.current) end()
      })
    }
  }, [end])
}
