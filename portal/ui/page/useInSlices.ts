import { useDeferredValue } from 'react'

/**
 * Returns a server's answer once it can be rendered in slices; undefined for a moment when it first arrives. Later
 * answers, or their absence, apply at once.
 */
export const useInSlices = <T>(value: T | undefined): T | undefined =>
  useDeferredValue(value !== undefined) ? value : undefined
