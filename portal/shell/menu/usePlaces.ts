import { useEffect } from 'react'
import { useHere } from '#portal/app/here.ts'
import type { Screen } from '#portal/app/screen.ts'
import { usePreference } from '#portal/app/theme/preferences.ts'

/** At the top of the menu until a user pins others. */
const firstPins = '/devices/list /alarms'
/** The last screens of the menu that a user has opened, the newest first. */
const mostRecent = 6

const pathsIn = (text: string) => text.split(' ').filter(Boolean)

/** The screens at the top of the menu, as this browser remembers them. */
export function usePins(): { pins: readonly string[]; turn: (path: string) => void } {
  const [pinned, setPinned] = usePreference('pinnedScreens', firstPins)
  const pins = pathsIn(pinned)
  return {
    pins,
    turn: (path) => setPinned((pins.includes(path) ? pins.filter((one) => one !== path) : [...pins, path]).join(' ')),
  }
}

/** The screens of the menu that were opened last, without the present one. */
export function useRecentScreens(): readonly string[] {
  const here = useHere()
  const [recent, setRecent] = usePreference('recentScreens', '')
  const path = (here && [here.screen, ...here.ancestors.toReversed()].find(({ menu }) => menu))?.path
  const paths = pathsIn(recent)
  useEffect(() => {
    if (!path || paths[0] === path) return
    setRecent([path, ...paths.filter((one) => one !== path)].slice(0, mostRecent).join(' '))
  })
  return paths.filter((one) => one !== path)
}

/** A menu entry is active when the screen in view is its own, or below it. */
export function useIsHere(): (screen: Screen) => boolean {
  const here = useHere()
  return ({ path }) => here?.screen.path === path || Boolean(here?.ancestors.some((above) => above.path === path))
}
