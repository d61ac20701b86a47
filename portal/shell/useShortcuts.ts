import { useEffect, useRef, useState } from 'react'
import { useGo } from '#portal/app/go.ts'
import { isTyping } from '#portal/app/isTyping.ts'
import { screens } from '#portal/screens.ts'
import { useMerchant } from '../app/merchant.tsx'
import { useSession } from '../app/session/useSession.ts'
import { maySee } from './menu/menu.ts'

export type OverlayName = 'palette' | 'shortcuts'

/** Open menus close on a press elsewhere, which this simulates. */
const closeMenus = () => document.documentElement.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))

/** How long `g` waits for the letter of a screen. */
const sequenceMs = 1_200

/** The global keys: Ctrl-K or `/` searches, `?` lists the keys, `[` folds the menu, `g` and a letter opens a screen. */
export function useShortcuts(toggleMenu: () => void) {
  const [overlay, setOverlay] = useState<OverlayName>()
  const go = useGo()
  const { me } = useSession()
  const merchant = useMerchant()
  const wentAt = useRef(0)
  const toggle = useRef(toggleMenu)
  toggle.current = toggleMenu

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        closeMenus()
        setOverlay('palette')
        return
      }
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target) ||
        document.querySelector('[aria-modal=true], dialog[open]')
      )
        return
      const isSequence = Date.now() - wentAt.current < sequenceMs
      wentAt.current = event.key === 'g' ? Date.now() : 0
      if (isSequence) {
        const screen = screens.find(({ menu, ...rest }) => menu?.key === event.key && me && maySee(rest, me, merchant))
        if (!screen) return
        event.preventDefault()
        void go({ to: screen.path })
      } else if (event.key === '/' || event.key === '?' || event.key === '[') {
        event.preventDefault()
        if (event.key === '[') toggle.current()
        else setOverlay(event.key === '/' ? 'palette' : 'shortcuts')
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [go, me, merchant])

  return {
    overlay,
    openPalette: () => setOverlay('palette'),
    openShortcuts: () => setOverlay('shortcuts'),
    close: () => setOverlay(undefined),
  }
}
