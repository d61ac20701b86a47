import { useCallback } from 'react'
import { useGo } from '#portal/app/go.ts'
import { panelOfPlace, useOpenPanel } from '#portal/app/panel.ts'
import type { Place } from '#portal/app/place.ts'
import { useIsPhone } from '../useIsPhone.ts'

/** Opens the panel of the record at a place, beside the screen; the place itself on a phone, and if it has no panel. */
export function useOpenPlace() {
  const go = useGo()
  const open = useOpenPanel()
  const isPhone = useIsPhone()
  return useCallback(
    (place: Place) => {
      const panel = isPhone ? undefined : panelOfPlace(place)
      if (panel) open(panel)
      else void go(place)
    },
    [go, open, isPhone],
  )
}
