import { useEffect, useState } from 'react'

/** Returns the focus to its previous element when a dialog unmounts. */
export function useFocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // When the dialog is out of the page; a screen that it led to has taken the focus by then.
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body
        if (isNowhere && before instanceof HTMLElement) before.focus()
      })
    },
    [before],
  )
}
