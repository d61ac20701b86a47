import { useEffect, useState } from 'react'

/** Becomes true when the page is idle: the time to fetch parts that the first paint does not need. */
export function useIdle() {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if ('requestIdleCallback' in globalThis) {
      const handle = requestIdleCallback(() => setIdle(true), { timeout: 3_000 })
      return () => cancelIdleCallback(handle)
    }
    const timer = setTimeout(() => setIdle(true), 600)
    return () => clearTimeout(timer)
  }, [])
  return isIdle
}
