import { type ReactNode, useEffect, useRef, useState } from 'react'

interface Props {
  children: ReactNode
  /** Holds the place until then, with the same size. */
  waiting: ReactNode
  /** How much of the place must be in the window, from 0 (its edge) to 1. */
  share?: number
}

/** What a reader does first on a page, with which a part below the window may load as well. */
const firstActs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll'] as const

/**
 * A part that loads when its place comes into the window, when the reader first does something on the page, or when the page is
 * printed. It stays once it was shown.
 */
export function WhenSeen({ children, waiting, share = 0 }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(() => !('IntersectionObserver' in globalThis))
  useEffect(() => {
    if (isSeen || !place.current) return
    const stop = new AbortController()
    const show = () => setSeen(true)
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && show(),
      { threshold: share },
    )
    observer.observe(place.current)
    for (const act of firstActs)
      globalThis.addEventListener(act, show, { signal: stop.signal, passive: true, capture: true })
    globalThis.addEventListener('beforeprint', show, { signal: stop.signal })
    return () => {
      observer.disconnect()
      stop.abort()
    }
  }, [isSeen, share])
  return isSeen ? children : <div ref={place}>{waiting}</div>
}
