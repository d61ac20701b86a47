import { useMatch, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useGo } from '#portal/app/go.ts'
import type { Search } from '#portal/app/search.ts'

interface NavigationOptions {
  replace: boolean
  resetScroll: boolean
}

/**
 * The query of this screen's address, and a setter. A screen stays visible for a moment after navigation: then it
 * reads nothing, since the address belongs to the next screen.
 */
export function useSearchHere() {
  const go = useGo()
  const router = useRouter()
  const here = useMatch({ strict: false, select: ({ pathname }) => pathname.replace(/\/$/, '') })
  /** The current query, possibly not rendered yet; undefined once the screen is left. */
  const now = useCallback(() => {
    const { pathname, search } = router.latestLocation
    return `${pathname}/`.startsWith(`${here}/`) ? (search as Search) : undefined
  }, [router, here])
  const say = useCallback(
    (write: (now: Search) => Search, how: NavigationOptions) => {
      const before = now()
      if (before) void go({ here: write(before) }, how)
    },
    [go, now],
  )
  return { now, say }
}
