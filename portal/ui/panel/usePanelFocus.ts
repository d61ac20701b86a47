import { useEffect, useRef, useState } from 'react'
import { type PanelKey, panelText } from '#portal/app/panel.ts'
import { openerOf } from './panelOrder.ts'

/** When a panel closes, the focus returns to what opened it, or after some steps to the row of the last record. */
export function usePanelFocus(key: PanelKey | undefined): void {
  const [before] = useState(() => document.activeElement)
  const last = useRef(key)
  if (key) last.current = key
  useEffect(
    () => () => {
      // After the panel has left the page.
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body
        if (!isNowhere || !last.current) return
        const opener =
          before instanceof HTMLElement && before.isConnected && before !== document.body ? before : undefined
        const isOfLast = opener?.closest<HTMLElement>('[data-panel]')?.dataset.panel === panelText(last.current)
        const target = isOfLast ? opener : (openerOf(last.current) ?? opener ?? document.getElementById('main'))
        target?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}
