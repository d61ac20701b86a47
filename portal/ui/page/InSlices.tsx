import { type ReactNode, useDeferredValue } from 'react'

interface Props {
  /** Shown until the content is ready. */
  meanwhile: ReactNode
  children: ReactNode
}

/**
 * Renders large content in slices, so that the page stays responsive. Only the first content of an answer is sliced;
 * later changes are rendered as usual.
 */
export const InSlices = ({ meanwhile, children }: Props) => (useDeferredValue(true, false) ? children : meanwhile)
