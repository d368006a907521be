import { useEffect, useState } from 'react'

/** How long something must have been in front before it takes a click: one meant for what was there before comes sooner. */
const SETTLE_MS = 700

/** False in the first moments that this is shown, and whenever the window has just come forward. */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = (): void => {
      clearTimeout(timer)
      setSettled(false)
      if (document.visibilityState === 'visible')
        timer = setTimeout(() => {
          setSettled(true)
        }, SETTLE_MS)
    }
    settle()
    document.addEventListener('visibilitychange', settle)
    window.addEventListener('focus', settle)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', settle)
      window.removeEventListener('focus', settle)
    }
  }, [])
  return isSettled
}
