import { createContext, use } from 'react'
import type { PanelKey } from '#portal/app/panel.ts'

interface OpenPanel {
  key: PanelKey
  close: () => void
}

export const PanelContext = createContext<OpenPanel | undefined>(undefined)

/** The panel around a part. */
export function useOpenedPanel(): OpenPanel {
  const panel = use(PanelContext)
  if (!panel) throw new Error('A part of a panel is outside a panel')
  return panel
}
