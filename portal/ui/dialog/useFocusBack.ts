import { useEffect, useState } from 'react'

/** Returns the focus to its previous element when a dialog unmounts. */
export function useFocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the dialog has left the page; by then, a screen opened from it has the focus.
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body
        if (isNowhere && before instanceof HTMLElement) before.focus()
      })
    },
    [before],
  )
}
