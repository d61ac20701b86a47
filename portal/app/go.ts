import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Place } from './place.ts'
import type { Search } from './search.ts'

/** A place, or this screen with some names of its address changed; `undefined` removes a name. */
type Target = Place | { here: Search }

interface NavigationOptions {
  /** Back leads to the previous place, not to this screen's last address. */
  replace?: boolean
  /** False keeps the scroll position. */
  resetScroll?: boolean
  /** Leaves a form without a confirmation. */
  ignoreBlocker?: boolean
}

/**
 * Opens a place, or changes the address of this screen. The merchant and the groups of the address stay unless they
 * are named.
 */
export function useGo() {
  const navigate = useNavigate()
  return useCallback(
    (target: Target, how: NavigationOptions = {}) => {
      const place =
        'here' in target ? { to: '.', search: (now: Search) => ({ ...now, ...target.here }) } : { ...target }
      // The screen table creates the routes, so the router has no types of its own for them.
      return navigate({ ...place, ...how } as { to: string })
    },
    [navigate],
  )
}

/** Leaves a form whose record is saved or deleted, without a confirmation. */
export function useLeave() {
  const go = useGo()
  return (place: Place) => go(place, { ignoreBlocker: true })
}

/** The query of the address. */
export const useAddressQuery = () => useSearch({ strict: false }) as Search
