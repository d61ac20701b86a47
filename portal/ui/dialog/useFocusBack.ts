import { useEffect, useState } from 'react'

/** Returns the focus to its previous element when a dialog unmounts. */
export function useFocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the dialog has left the page; a screen opened from it has the focus by then.
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body
        if (isNowhere && before instanceof HTMLElement) before.focus()
      })
    },
    [before],
  )
}
