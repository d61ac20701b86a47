import { useDeferredValue } from 'react'

/**
 * What an answer of the server brings, once it can be drawn in slices between which the page answers: nothing for a moment longer
 * when it first comes. What comes later, or goes, does so at once.
 */
export const useInSlices = <T>(value: T | undefined): T | undefined =>
  useDeferredValue(value !== undefined) ? value : undefined
