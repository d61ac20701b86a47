import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconMenu2, IconSearch } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { useLiveState, useRefreshedAt } from '../live.ts'
import { useMerchant, useMerchants } from '../merchant.tsx'
import { useSession } from '../session/useSession.ts'
import { useIdle } from '../useIdle.ts'
import { BusyLine } from './BusyLine.tsx'
import classes from './TopBar.module.css'

const MerchantMenu = lazy(() => import('./menus.tsx').then((menus) => ({ default: menus.MerchantMenu })))
const UserMenu = lazy(() => import('./menus.tsx').then((menus) => ({ default: menus.UserMenu })))

interface Props {
  openDrawer: () => void
  openPalette: () => void
  openShortcuts: () => void
}

/** Merchant, search, how current the page is, and the person. */
export function TopBar({ openDrawer, openPalette, openShortcuts }: Props) {
  const { t } = useTranslation('shell')
  return (
    <header className={classes.top}>
      <BusyLine />
      <UnstyledButton className={classes.burger} onClick={openDrawer} aria-label={t('menu.open')}>
        <IconMenu2 size={20} aria-hidden />
      </UnstyledButton>
      <MerchantSwitcher />
      <UnstyledButton
        className={classes.search}
        onClick={openPalette}
        aria-label={t('search.open')}
        aria-keyshortcuts="Control+K"
      >
        <IconSearch size={16} aria-hidden className={classes.glass} />
        <span className={classes.prompt}>{t('search.prompt')}</span>
        <kbd className={classes.key}>Ctrl K</kbd>
      </UnstyledButton>
      <LiveIndicator />
      <UserButton openShortcuts={openShortcuts} />
    </header>
  )
}

/** A button whose menu comes when the page is idle, or at the latest with the first click. */
function LazyMenu({
  button,
  children,
}: {
  button: (open?: () => void) => ReactNode
  children: (isOpened: boolean, target: ReactNode) => ReactNode
}) {
  const isIdle = useIdle()
  const [isAsked, setAsked] = useState(false)
  if (!isIdle && !isAsked) return button(() => setAsked(true))
  return <Suspense fallback={button(() => setAsked(true))}>{children(isAsked, button())}</Suspense>
}

function MerchantSwitcher() {
  const { t } = useTranslation('shell')
  const merchant = useMerchant()
  const isAlone = useMerchants().length < 2
  const name = (
    <>
      <span className={classes.merchant}>{merchant.name}</span>
      <span className={classes.zone}>{merchant.isAll ? t('merchant.zones') : merchant.timeZone}</span>
    </>
  )
  if (isAlone) return <div className={classes.switcher}>{name}</div>
  const button = (open?: () => void) => (
    <UnstyledButton
      className={classes.switcher}
      data-choice
      aria-label={t('merchant.choose', { name: merchant.name })}
      onClick={open}
    >
      {name}
      <IconChevronDown size={15} aria-hidden className={classes.chevron} />
    </UnstyledButton>
  )
  return (
    <LazyMenu button={button}>{(isOpened, target) => <MerchantMenu isOpened={isOpened} target={target} />}</LazyMenu>
  )
}

function LiveIndicator() {
  const { t } = useTranslation('shell')
  const state = useLiveState()
  const at = useRefreshedAt()
  const format = useFormat()
  const { timeZone } = useMerchant()
  const time = format.instant(at, 'time', timeZone)
  return (
    <span className={classes.live} data-state={state} title={t(`live.explain.${state}`, { time })}>
      <span className={classes.dot} aria-hidden />
      <span className={classes.liveWord}>{t(`live.${state}`)} · </span>
      {time}
    </span>
  )
}

/** The letters that stand for a person: of their first and last name, else of their address. */
export const initialsOf = (name: string, email: string) => {
  const words = (name || email).split(/[\s@.]+/).filter(Boolean)
  return ((words[0]?.[0] ?? '') + (words.length > 1 ? (words.at(name ? -1 : 1)?.[0] ?? '') : '')).toUpperCase()
}

function UserButton({ openShortcuts }: { openShortcuts: () => void }) {
  const { t } = useTranslation('shell')
  const { me } = useSession()
  if (!me) return null
  const button = (open?: () => void) => (
    <UnstyledButton className={classes.user} aria-label={t('user.menu', { name: me.name || me.email })} onClick={open}>
      {initialsOf(me.name, me.email)}
    </UnstyledButton>
  )
  return (
    <LazyMenu button={button}>
      {(isOpened, target) => <UserMenu isOpened={isOpened} target={target} openShortcuts={openShortcuts} />}
    </LazyMenu>
  )
}
