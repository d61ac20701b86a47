import { type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { useIdle } from '../useIdle.ts'

/** Makes a menu's button; the menu gives it what a click does. */
export type MenuButton = (open?: () => void) => ReactElement

/** A button whose menu comes when the page is idle, or at the latest with the first click. */
export function LazyMenu({ button, children }: { button: MenuButton; children: (isOpened: boolean) => ReactNode }) {
  const isIdle = useIdle()
  const [isAsked, setAsked] = useState(false)
  const early = button(() => setAsked(true))
  return isIdle || isAsked ? <Suspense fallback={early}>{children(isAsked)}</Suspense> : early
}
