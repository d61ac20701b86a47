import { type ReactNode, useDeferredValue } from 'react'

interface Props {
  /** Shown until the content is ready. */
  meanwhile: ReactNode
  children: ReactNode
}

/**
 * Draws what is large in slices, between which the page answers. What an answer of the server brings would else be drawn in one
 * piece; what changes later in the content is drawn as ever.
 */
export const InSlices = ({ meanwhile, children }: Props) => (useDeferredValue(true, false) ? children : meanwhile)
