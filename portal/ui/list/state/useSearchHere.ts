import { useMatch, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useGo } from '#portal/app/go.ts'
import type { Search } from '#portal/app/search.ts'

interface How {
  replace: boolean
  resetScroll: boolean
}

/**
 * The address's query of this screen, and a way to change it. A screen that is being left is still visible for a moment:
 * then it reads nothing, since the address belongs to the next one.
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
