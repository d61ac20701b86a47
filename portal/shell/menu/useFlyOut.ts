import { useLocation } from '@tanstack/react-router'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react'

/** Of a fly-out in pixels: its name and frame, and an entry. */
const frameHeight = 48
const entryHeight = 34

/** Beside the folded menu, high enough for so many entries: opens on hover or press, and closes on leaving, a press, Escape, or navigation. */
export function useFlyOut(isFolded: boolean, entryCount: number) {
  const [top, setTop] = useState<number>()
  const place = useRef<HTMLLIElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // oxlint-disable-next-line react/exhaustive-deps -- navigation closes it
  useEffect(() => setTop(undefined), [path])
  const open = () => {
    const edge = place.current?.getBoundingClientRect().top
    if (edge !== undefined)
      setTop(Math.max(8, Math.min(edge, window.innerHeight - frameHeight - entryCount * entryHeight)))
  }
  const close = () => setTop(undefined)
  const whole = isFolded && {
    ref: place,
    onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && open(),
    onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && close(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || top === undefined) return
      place.current?.querySelector('button')?.focus()
      close()
    },
    onBlur: (event: FocusEvent) => {
      if (!place.current?.contains(event.relatedTarget)) close()
    },
  }
  // A mouse press follows the hover that has opened it; a key or a finger toggles it.
  const toggle = (event: MouseEvent) =>
    top === undefined || (event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse' ? open() : close()
  return { top, whole, toggle }
}
