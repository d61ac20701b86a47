import { useEffect, useState } from 'react'
import { firstScreenShown } from './firstScreen.ts'

/** Becomes true when the page is idle and the first screen shows: the time to fetch parts that no screen needs at first. */
export function useIdle() {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    let cancel: (() => void) | undefined
    let isGone = false
    void firstScreenShown().then(() => {
      if (!isGone) cancel = whenIdle(() => setIdle(true))
    })
    return () => {
      isGone = true
      cancel?.()
    }
  }, [])
  return isIdle
}

/** Calls back once, when the browser has nothing else to do; returns the cancellation. */
function whenIdle(act: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const handle = requestIdleCallback(act, { timeout: 3_000 })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(act, 600)
  return () => clearTimeout(timer)
}
