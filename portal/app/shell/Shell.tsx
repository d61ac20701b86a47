import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Role } from '#contract/vocabulary/roles.ts'
import { EmptyState } from '../../ui/ErrorState.tsx'
import { isEnabled } from '../enabled.ts'
import { GroupsProvider, useLookedAtGroups } from '../groups.tsx'
import { useHere } from '../here.ts'
import { startLive } from '../live.ts'
import { MerchantProvider, useMerchant } from '../merchant.tsx'
import { useSession } from '../session/useSession.ts'
import { usePreference } from '../theme/preferences.ts'
import { ScreenSkeleton } from './ScreenSkeleton.tsx'
import classes from './Shell.module.css'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'
import { useShortcuts } from './useShortcuts.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const Shortcuts = lazy(() => import('./Shortcuts.tsx'))

const waiting = (
  <>
    <div className={classes.side} />
    <div className={classes.top} />
    <main className={classes.main}>
      <ScreenSkeleton />
    </main>
  </>
)

/** What stands around every screen: menu, top bar, and behind them the live updates. */
export function Shell() {
  const { me, lookAgain } = useSession()
  const [menu, setMenu] = usePreference('menu', 'open')
  const client = useQueryClient()
  useEffect(() => (me?.id ? startLive(client, me.id, lookAgain) : undefined), [client, me?.id, lookAgain])
  if (!me) return null
  return (
    <div className={classes.app} data-menu={menu}>
      <MerchantProvider waiting={waiting}>
        <GroupsProvider waiting={waiting}>
          <Frame role={me.role} isOpen={menu === 'open'} setOpen={(isOpen) => setMenu(isOpen ? 'open' : 'icons')} />
        </GroupsProvider>
      </MerchantProvider>
    </div>
  )
}

function Frame({ role, isOpen, setOpen }: { role: Role; isOpen: boolean; setOpen: (isOpen: boolean) => void }) {
  const { t } = useTranslation('shell')
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const main = useFocusOnArrival()
  const overlays = useShortcuts(() => setOpen(!isOpen))
  return (
    <>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      <SideMenu
        role={role}
        isOpen={isOpen}
        isDrawerOpen={isDrawerOpen}
        closeDrawer={() => setDrawerOpen(false)}
        setOpen={setOpen}
      />
      <TopBar
        openDrawer={() => setDrawerOpen(true)}
        openPalette={overlays.openPalette}
        openShortcuts={overlays.openShortcuts}
      />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Suspense fallback={<ScreenSkeleton />}>
          <Content />
        </Suspense>
      </main>
      <Suspense>
        {overlays.shown === 'palette' && <Palette close={overlays.close} />}
        {overlays.shown === 'shortcuts' && <Shortcuts close={overlays.close} />}
      </Suspense>
    </>
  )
}

/** The screen, unless the merchant may not use it. It is made anew for other groups, so that nothing of the former is left on it. */
function Content() {
  const here = useHere()
  const merchant = useMerchant()
  const { chosen } = useLookedAtGroups()
  const off = here && [here.screen, ...here.ancestors].find((screen) => !isEnabled(screen, merchant))
  if (off) return <NotEnabled label={off.label} />
  return <Outlet key={chosen.join()} />
}

function NotEnabled({ label }: { label: string }) {
  const { t } = useTranslation(['shell', 'errors'])
  return <EmptyState title={t(`shell:screens.${label}`)} text={t('errors:FeatureNotEnabled')} />
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
