import { useMatch, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useGo } from '#portal/app/go.ts'
import type { Search } from '#portal/app/search.ts'

interface How {
  replace: boolean
  resetScroll: boolean
}

/**
 * What the address says of this screen, and a way to say something else. A screen that is being left is still seen for a moment:
 * by then it says nothing any more, for the address is the next one's.
 */
export function useSearchHere() {
  const go = useGo()
  const router = useRouter()
  const here = useMatch({ strict: false, select: ({ pathname }) => pathname.replace(/\/$/, '') })
  /** Of this moment, which need not be drawn yet; nothing once the screen is left. */
  const now = useCallback(() => {
    const { pathname, search } = router.latestLocation
    return `${pathname}/`.startsWith(`${here}/`) ? (search as Search) : undefined
  }, [router, here])
  const say = useCallback(
    (write: (now: Search) => Search, how: How) => {
      const before = now()
      if (before) void go({ here: write(before) }, how)
    },
    [go, now],
  )
  return { now, say }
}
