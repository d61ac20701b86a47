import { useEffect, useState } from 'react'
import { type MapView, seenBy } from '#domain/machines/map-view.ts'
import type { Countries } from './flatMap.ts'
import { landFor } from './land.ts'

/** The land that a view shows, as soon as it has loaded; what lies on it is drawn before. */
export function useLand(view: MapView | undefined): Countries | undefined {
  const [land, setLand] = useState<Countries>()
  const needed = view && landFor(seenBy(view), view.zoom)
  const key = needed?.key
  useEffect(() => {
    let isGone = false
    needed?.load().then(
      (found) => !isGone && setLand(found),
      () => {},
    )
    return () => {
      isGone = true
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one key is one set of pieces
  }, [key])
  return land
}
