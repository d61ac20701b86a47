import { Box } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Me } from '#contract/people/user.ts'
import { demoStateOf } from '#contract/vocabulary/demo.ts'
import { InSlices } from '#portal/ui/page/InSlices.tsx'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { isEnabled } from '../app/enabled.ts'
import { useAddressQuery } from '../app/go.ts'
import { useLookedAtGroups } from '../app/groups.tsx'
import { useHere } from '../app/here.ts'
import { keptVisits, onKeptVisits } from '../app/keptVisits.ts'
import { startLive } from '../app/live/live.ts'
import { useMerchant } from '../app/merchant.tsx'
import { panelIn } from '../app/panel.ts'
import { useSession } from '../app/session/useSession.ts'
import { usePreference } from '../app/theme/preferences.ts'
import { useIdle } from '../app/useIdle.ts'
import { wrongDatesIn } from '../app/wrongDates.ts'
import { NotEnabled } from '../ui/part/NotEnabled.tsx'
import { ScreenSkeleton } from '../ui/part/ScreenSkeleton.tsx'
import { GroupsProvider } from './GroupsProvider.tsx'
import { MerchantProvider } from './MerchantProvider.tsx'
import { SideMenu } from './menu/SideMenu.tsx'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'
import { useShortcuts } from './useShortcuts.ts'

const ClosedMerchant = lazyPart(() => import('./ClosedMerchant.tsx'), ['demo-end'])
const DemoNotice = lazyPart(() => import('./DemoNotice.tsx'), ['demo-end'])
const WrongDates = lazyPart(() => import('./WrongDates.tsx'))
const Palette = lazyPart(() => import('./palette/Palette.tsx'), ['palette'])
const Shortcuts = lazyPart(() => import('./Shortcuts.tsx'), ['panel'])
const PanelHost = lazyPart(() => import('./panel/PanelHost.tsx'), ['panel'])

const OfflineNote = lazyPart(() => import('#portal/features/stock/offline/OfflineNote.tsx'), ['round'])
const OutboxSender = lazyPart(() => import('#portal/features/stock/outbox/OutboxSender.tsx'))

const waiting = (
  <>
    <div className={classes.side} />
    <div className={classes.top} />
    <main className={classes.main}>
      <ScreenSkeleton />
    </main>
  </>
)

/** The frame of every screen: menu, top bar, and the live updates. */
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
          <InSlices meanwhile={waiting}>
            <Frame user={me} isOpen={menu === 'open'} setOpen={(isOpen) => setMenu(isOpen ? 'open' : 'icons')} />
          </InSlices>
        </GroupsProvider>
      </MerchantProvider>
    </div>
  )
}

function Frame({ user, isOpen, setOpen }: { user: Me; isOpen: boolean; setOpen: (isOpen: boolean) => void }) {
  const { t } = useTranslation('shell')
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const main = useFocusOnArrival()
  const overlays = useShortcuts(() => setOpen(!isOpen))
  const isIdle = useIdle()
  // What was done without a connection is sent later, whatever screen is open.
  const hasKept = useSyncExternalStore(onKeptVisits, keptVisits) > 0
  // After Ctrl-K the user types at once.
  useEffect(() => (isIdle ? Palette.preload() : undefined), [isIdle])
  return (
    <>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      <SideMenu
        user={user}
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
      <Beside />
      {hasKept && isIdle && (
        <Part fallback={null} failed={() => null}>
          <OutboxSender userId={user.id} />
        </Part>
      )}
      {overlays.overlay && (
        <Part
          key={overlays.overlay}
          // Keys typed before the palette has loaded are for the palette only.
          fallback={<div role="dialog" aria-modal aria-busy aria-label={t('search.open')} />}
          failed={(again) => <PartFailure again={again} close={overlays.close} />}
        >
          {overlays.overlay === 'palette' ? <Palette close={overlays.close} /> : <Shortcuts close={overlays.close} />}
        </Part>
      )}
    </>
  )
}

/** The record that the address opens beside the screen. */
function Beside() {
  const hasPanel = panelIn(useAddressQuery()) !== undefined
  if (!hasPanel) return null
  return (
    <Part fallback={null} failed={(again) => <PartFailure again={again} />}>
      <PanelHost />
    </Part>
  )
}

/** The screen, unless the merchant may not use it. Other groups remount it, so that no state of the former ones remains. */
function Content() {
  const here = useHere()
  const merchant = useMerchant()
  const { selectedIds } = useLookedAtGroups()
  const { offline } = useSession()
  const hasWrongDates = wrongDatesIn(useAddressQuery()).length > 0
  const off = here && [here.screen, ...here.ancestors].find((screen) => !isEnabled(screen, merchant))
  // The user's own pages are always available.
  if (merchant.closedBy && here?.screen.needs !== 'profile.read')
    return (
      <Part>
        <ClosedMerchant reason={merchant.closedBy} />
      </Part>
    )
  if (off) return <NotEnabled label={off.label} />
  return (
    <>
      {offline && (
        <Part fallback={null}>
          <OfflineNote />
        </Part>
      )}
      {isNearEnd(merchant.demoDaysLeft) && (
        // Its space is reserved, so that nothing moves when it loads.
        <Box mih={{ base: 62, xs: 42 }} mb="md">
          <Part>
            <DemoNotice />
          </Part>
        </Box>
      )}
      {hasWrongDates && (
        <Box mih={{ base: 62, xs: 42 }} mb="md">
          <Part>
            <WrongDates />
          </Part>
        </Box>
      )}
      <Outlet key={selectedIds.join()} />
    </>
  )
}

const isNearEnd = (daysLeft: number | null) => ['ending', 'ended'].includes(demoStateOf(daysLeft) ?? '')

/** On a new page, screen readers start at its beginning and not in the menu; a change of filters leaves the focus where it is. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [path])
  const router = useRouter()
  useEffect(
    () =>
      // The clicked element may have been removed with its screen.
      router.subscribe('onRendered', ({ pathChanged }) => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body
        if (pathChanged && isNowhere) main.current?.focus({ preventScroll: true })
      }),
    [router],
  )
  return main
}
