import { useEffect, useState } from 'react'

/** Becomes true when the page has nothing more urgent to do: the time to fetch what is not needed for the first paint. */
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
