import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { startLive } from '../live.ts'
import { MerchantProvider } from '../merchant.tsx'
import { useSession } from '../session/useSession.ts'
import { usePreference } from '../theme/preferences.ts'
import { ScreenSkeleton } from './ScreenSkeleton.tsx'
import classes from './Shell.module.css'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'
import { useShortcuts } from './useShortcuts.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const Shortcuts = lazy(() => import('./Shortcuts.tsx'))

/** What stands around every screen: menu, top bar, and behind them the live updates. */
export function Shell() {
  const { t } = useTranslation('shell')
  const { me } = useSession()
  const [menu, setMenu] = usePreference('menu', 'open')
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const main = useFocusOnArrival()
  const client = useQueryClient()
  const overlays = useShortcuts(() => setMenu(menu === 'open' ? 'icons' : 'open'))

  useEffect(() => (me?.id ? startLive(client, me.id) : undefined), [client, me?.id])

  if (!me) return null
  const frame = (
    <main id="main" ref={main} tabIndex={-1} className={classes.main}>
      <Suspense fallback={<ScreenSkeleton />}>
        <Outlet />
      </Suspense>
    </main>
  )
  return (
    <div className={classes.app} data-menu={menu}>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      <MerchantProvider
        waiting={
          <>
            <div className={classes.side} />
            <div className={classes.top} />
            <main className={classes.main}>
              <ScreenSkeleton />
            </main>
          </>
        }
      >
        <SideMenu
          role={me.role}
          isOpen={menu === 'open'}
          isDrawerOpen={isDrawerOpen}
          closeDrawer={() => setDrawerOpen(false)}
          setMenu={setMenu}
        />
        <TopBar
          openDrawer={() => setDrawerOpen(true)}
          openPalette={overlays.openPalette}
          openShortcuts={overlays.openShortcuts}
        />
        {frame}
        <Suspense>
          {overlays.shown === 'palette' && <Palette close={overlays.close} />}
          {overlays.shown === 'shortcuts' && <Shortcuts close={overlays.close} />}
        </Suspense>
      </MerchantProvider>
    </div>
  )
}

/** On a new page, readers of the screen begin at its start and not in the menu; a change of filters leaves the focus where it is. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
