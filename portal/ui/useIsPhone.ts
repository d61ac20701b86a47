import { useSyncExternalStore } from 'react'

/** Below the specification's smallest breakpoint rows are cards. */
const query = globalThis.matchMedia?.('(max-width: 599.98px)')
const subscribe = (listener: () => void) => {
  query?.addEventListener('change', listener)
  return () => query?.removeEventListener('change', listener)
}

export const useIsPhone = () => useSyncExternalStore(subscribe, () => query?.matches ?? false)
