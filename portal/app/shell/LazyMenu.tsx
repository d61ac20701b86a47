import { type ReactElement, type ReactNode, useState } from 'react'
import { Missing, Part } from '../../ui/lazyPart.tsx'
import { useIdle } from '../useIdle.ts'

/** Makes a menu's button; the menu gives it what a click does. */
export type MenuButton = (open?: () => void) => ReactElement

/** A button whose menu comes when the page is idle, or at the latest with the first click. */
export function LazyMenu({ button, children }: { button: MenuButton; children: (isOpened: boolean) => ReactNode }) {
  const isIdle = useIdle()
  const [isAsked, setAsked] = useState(false)
  const early = button(() => setAsked(true))
  if (!isIdle && !isAsked) return early
  // What nobody has asked for yet is missed by nobody.
  const failed = (again: () => void) => {
    const ask = () => {
      setAsked(true)
      again()
    }
    return (
      <>
        {button(ask)}
        {isAsked && <Missing again={again} close={() => setAsked(false)} />}
      </>
    )
  }
  return (
    <Part fallback={early} failed={failed}>
      {children(isAsked)}
    </Part>
  )
}
