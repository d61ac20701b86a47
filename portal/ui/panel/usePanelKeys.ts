import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useGo } from '#portal/app/go.ts'
import { isTyping } from '#portal/app/isTyping.ts'
import { type PanelKey, pageOfPanel, panelText, readPanelText, useOpenPanel } from '#portal/app/panel.ts'
import { useOpenedPanel } from './PanelContext.ts'
import { neighboursOf, openerOf } from './panelOrder.ts'

/** The screen's rows change with its answers. */
function onScreenChange(listener: () => void) {
  const main = document.getElementById('main')
  if (!main) return () => {}
  let frame = 0
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(listener)
  })
  observer.observe(main, { childList: true, subtree: true, attributeFilter: ['data-panel'] })
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
}

const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, select, textarea, [role=button], [data-row]') !== null

/** A menu, a list of options or another dialog is open, and has these keys. */
const isElsewhere = (target: EventTarget | null) =>
  document.querySelector('[aria-modal=true]') !== null ||
  (target instanceof Element && target.closest('[role=menu], [role=listbox], [aria-expanded=true]') !== null)

/**
 * Keys of a panel: `j` and `k` show the next and the previous record of the screen, Enter opens the page, Esc closes. Returns the neighbours, and
 * what shows one of them.
 */
export function usePanelKeys() {
  const { key, close } = useOpenedPanel()
  const open = useOpenPanel()
  const go = useGo()
  const neighbours = useSyncExternalStore(onScreenChange, () => {
    const { previous, next } = neighboursOf(key)
    return [previous, next].map((one) => (one ? panelText(one) : '')).join(' ')
  })
  const [previous, next] = neighbours.split(' ').map(readPanelText)
  const show = (to: PanelKey) => {
    openerOf(to)?.scrollIntoView({ block: 'nearest' })
    open(to, { replace: true })
  }
  const latest = useRef({ key, close, previous, next, show, go })
  latest.current = { key, close, previous, next, show, go }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const panel = latest.current
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isElsewhere(event.target)) return
      if (isTyping(event.target)) return
      const page = pageOfPanel(panel.key)
      if (event.key === 'Escape') panel.close()
      else if (event.key === 'j' && panel.next) panel.show(panel.next)
      else if (event.key === 'k' && panel.previous) panel.show(panel.previous)
      else if (event.key === 'Enter' && page && !isControl(event.target)) void panel.go(page)
      else return
      event.preventDefault()
      // A focused row of the list would move too.
      event.stopPropagation()
    }
    // Before an open menu or dialog closes at the same key.
    globalThis.addEventListener('keydown', onKey, { capture: true })
    return () => globalThis.removeEventListener('keydown', onKey, { capture: true })
  }, [])
  return { previous, next, show }
}
