import { Group, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconMenu2, IconSearch, IconStack2, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '#portal/ui/part/lazyPart.tsx'
import { useLookAt, useLookedAtGroups } from '../app/groups.tsx'
import { useFormat } from '../app/i18n/format.ts'
import { useLiveState, useRefreshedAt } from '../app/live/live.ts'
import { useMerchant, useMerchants } from '../app/merchant.tsx'
import { useSession } from '../app/session/useSession.ts'
import { BusyLine } from './BusyLine.tsx'
import { LazyMenu } from './menu/LazyMenu.tsx'
import classes from './TopBar.module.css'

const MerchantMenu = lazyPart(async () => ({ default: (await import('./menu/menus.tsx')).MerchantMenu }))
const GroupMenu = lazyPart(() => import('./menu/GroupMenu.tsx'))
const UserMenu = lazyPart(async () => ({ default: (await import('./menu/menus.tsx')).UserMenu }), ['palette'])

interface Props {
  openDrawer: () => void
  openPalette: () => void
  openShortcuts: () => void
}

/** Merchant, search, freshness of the page, and the user. */
export function TopBar({ openDrawer, openPalette, openShortcuts }: Props) {
  const { t } = useTranslation('shell')
  return (
    <header className={`${classes.top} no-print`}>
      <BusyLine />
      <UnstyledButton className={classes.burger} onClick={openDrawer} aria-label={t('menu.open')}>
        <IconMenu2 size={20} aria-hidden />
      </UnstyledButton>
      <MerchantSwitcher />
      <GroupFilter />
      <Text span flex="1" />
      <UnstyledButton className={classes.search} onClick={openPalette} aria-keyshortcuts="Control+K">
        <IconSearch size={16} aria-hidden className={classes.glass} />
        <Text span truncate flex="1" className={classes.prompt}>
          {t('search.prompt')}
        </Text>
        <kbd className={classes.key} aria-hidden>
          Ctrl K
        </kbd>
      </UnstyledButton>
      <LiveIndicator />
      <UserButton openShortcuts={openShortcuts} />
    </header>
  )
}

function MerchantSwitcher() {
  const { t } = useTranslation('shell')
  const merchant = useMerchant()
  const isAlone = useMerchants().length < 2
  const name = (
    <>
      <Text span truncate fz="md" fw={650}>
        {merchant.name}
      </Text>
      <Text span textWrap="nowrap" c="dimmed" fz="xs" className={classes.zone}>
        {merchant.isAll ? t('merchant.zones') : merchant.timeZone}
      </Text>
    </>
  )
  if (isAlone) return <div className={classes.switcher}>{name}</div>
  const label = (
    <>
      {name}
      <span className="unseen">, {t('merchant.choose')}</span>
      <IconChevronDown size={15} aria-hidden className={classes.chevron} />
    </>
  )
  return (
    <LazyMenu className={classes.switcher} label={label} opens="dialog">
      {(ofButton) => <MerchantMenu {...ofButton} />}
    </LazyMenu>
  )
}

/** The selected groups of the merchant; a selection is highlighted, so that it is not forgotten. */
function GroupFilter() {
  const { t } = useTranslation('shell')
  const merchant = useMerchant()
  const { selectedIds, groups } = useLookedAtGroups()
  const lookAt = useLookAt()
  if (merchant.isAll) return null
  const first = groups?.find(({ id }) => id === selectedIds[0])?.name
  const isOn = selectedIds.length > 0
  const summary = !isOn
    ? t('groups.all')
    : selectedIds.length === 1
      ? first
      : t('groups.some', { count: selectedIds.length })
  const label = (
    <>
      <IconStack2 size={16} aria-hidden />
      <Text span truncate maw={150} className={classes.groupsWord}>
        {summary}
      </Text>
      {isOn && (
        <span className={`${classes.groupsCount} phone-only`} aria-hidden>
          {selectedIds.length}
        </span>
      )}
      <span className="unseen">, {t('groups.choose')}</span>
      <IconChevronDown size={14} aria-hidden className={classes.chevron} />
    </>
  )
  return (
    <span className={`${classes.groupFilter} lights`} data-on={isOn}>
      <LazyMenu className={classes.groups} label={label} opens="dialog">
        {(ofButton) => <GroupMenu {...ofButton} />}
      </LazyMenu>
      {isOn && (
        <UnstyledButton className={classes.allGroups} onClick={() => void lookAt([])} aria-label={t('groups.clear')}>
          <IconX size={14} aria-hidden />
        </UnstyledButton>
      )}
    </span>
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
    <Group
      component="span"
      gap="snug"
      wrap="nowrap"
      c="dimmed"
      fz={{ base: 'xs', xs: 'sm' }}
      className={`${classes.live} one-line`}
      data-state={state}
      title={t(`live.explain.${state}`, { time })}
    >
      <span className={classes.dot} aria-hidden />
      <Text span mr="-hair" className={classes.liveWord}>
        {t(`live.${state}`)}
        <span className={classes.liveTime}> · </span>
      </Text>
      <span className={classes.liveTime}>{time}</span>
    </Group>
  )
}

/** A user's initials: of their first and last name, else of their address. */
export const initialsOf = (name: string, email: string) => {
  const words = (name || email).split(/[\s@.]+/).filter(Boolean)
  return ((words[0]?.[0] ?? '') + (words.length > 1 ? (words.at(name ? -1 : 1)?.[0] ?? '') : '')).toUpperCase()
}

function UserButton({ openShortcuts }: { openShortcuts: () => void }) {
  const { t } = useTranslation('shell')
  const { me } = useSession()
  if (!me) return null
  const label = (
    <>
      <span aria-hidden>{initialsOf(me.name, me.email)}</span>
      <span className="unseen">{t('user.menu', { name: me.name || me.email })}</span>
    </>
  )
  return (
    <LazyMenu className={classes.user} label={label} opens="menu">
      {(ofButton) => <UserMenu {...ofButton} openShortcuts={openShortcuts} />}
    </LazyMenu>
  )
}
