import { Box, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconHistory, IconPin, IconPinFilled, type TablerIcon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLookedAtGroups } from '#portal/app/groups.tsx'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Screen } from '#portal/app/screen.ts'
import type { Holder } from '#portal/app/session/may.ts'
import { menuGroups } from '#portal/screens.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { menuOf } from './menu.ts'
import classes from './SideMenu.module.css'
import { useFlyOut } from './useFlyOut.ts'
import { useIsHere, usePins, useRecentScreens } from './usePlaces.ts'

/** Loaded after the names: sixty drawings delay no first screen. */
const ScreenIcon = lazyPart(() => import('./screenIcons.tsx'))
const noIcon = <Box component="span" w={18} h={18} className={classes.icon} />

/* The closed groups always fit; the open one scrolls. */
const scrolls = { overflow: 'hidden auto' }
const underlined = { borderBottom: '1px solid var(--line)' }
/** At least its name and three of its screens are in view. */
const opened = { display: 'flex', flexDirection: 'column', minHeight: 138 } as const

/**
 * The menu: today and the pinned screens, then the groups, of which one is open: that of the screen in view until another is chosen. In the folded
 * menu a group flies out. A group of one screen is shown as that screen.
 */
export function MenuEntries({ user, isFolded = false }: { user: Holder; isFolded?: boolean }) {
  const { t } = useTranslation('shell')
  const [today, ...groups] = menuOf(menuGroups, user, useMerchant())
  const isHere = useIsHere()
  const { pins } = usePins()
  const recentPaths = useRecentScreens()
  const seen = [today, ...groups].flatMap((group) => group?.screens ?? [])
  const screensAt = (paths: readonly string[]) => paths.flatMap((path) => seen.filter((screen) => screen.path === path))
  const first = today?.screens ?? []
  const pinned = screensAt(pins).filter((screen) => !first.includes(screen))
  const recent = screensAt(recentPaths)
  // A pinned screen is found at the top.
  const nameHere = groups.find(({ screens }) => screens.some(isHere))?.name ?? null
  const isPinnedHere = [...first, ...pinned].some(isHere)
  const [openName, setOpenName] = useState<string | null>(isPinnedHere ? null : nameHere)
  useEffect(() => {
    if (nameHere && !isPinnedHere) setOpenName(nameHere)
  }, [nameHere, isPinnedHere])
  const turnOf = (name: string) => () => setOpenName((was) => (was === name ? null : name))

  return (
    <Stack component="nav" flex="1" mih={0} gap="snug" aria-label={t('menu.name')} style={scrolls}>
      <Stack component="ul" gap={1} pb="snug" flex="none" style={underlined} aria-label={t('menu.groups.today')}>
        {[...first, ...pinned].map((screen) => (
          <Item key={screen.path} screen={screen} />
        ))}
        {recent.length > 0 && !isFolded && (
          <Group
            name={t('menu.recent')}
            icon={IconHistory}
            screens={recent}
            isFolded={false}
            isOpen={openName === 'recent'}
            turn={turnOf('recent')}
          />
        )}
      </Stack>
      <Stack component="ul" gap={1} mih={0} flex="0 1 auto">
        {groups.map(({ name, icon, screens }) => {
          const [only, ...others] = screens
          if (only && others.length === 0) return <Item key={name} screen={only} />
          return (
            <Group
              key={name}
              name={t(`menu.groups.${name}`)}
              icon={icon}
              screens={screens}
              isFolded={isFolded}
              isOpen={openName === name}
              turn={turnOf(name)}
            />
          )
        })}
      </Stack>
    </Stack>
  )
}

const counts = new Map<string, ComponentType>()
/** The lazily loaded counter of a menu entry, created once. */
function countOf({ path, menu }: Screen) {
  if (!menu?.count) return undefined
  const made = counts.get(path) ?? lazyPart(menu.count)
  counts.set(path, made)
  return made
}

function CountOf({ screen }: { screen: Screen }) {
  const { selectedIds } = useLookedAtGroups()
  const Count = countOf(screen)
  if (!Count) return null
  return (
    <Text span c="crit" fw={600} className={classes.count}>
      <Part failed={() => null}>
        <Count key={selectedIds.join()} />
      </Part>
    </Text>
  )
}

function Item({ screen, isNested = false }: { screen: Screen; isNested?: boolean }) {
  const { t } = useTranslation('shell')
  const isHere = useIsHere()(screen)
  const { pins, turn } = usePins()
  const name = t(`screens.${screen.label}`)
  const isPinned = pins.includes(screen.path)
  const isPinnable = isNested || isPinned
  const Pin = isPinned ? IconPinFilled : IconPin
  return (
    <Box component="li" pos="relative" className={classes.entry}>
      <Link
        to={screen.path}
        className={`${classes.item} lights inks`}
        data-here={isHere}
        data-nested={isNested}
        data-pinnable={isPinnable}
        aria-current={isHere ? 'page' : undefined}
        title={name}
      >
        <Part fallback={noIcon} failed={() => noIcon}>
          <ScreenIcon label={screen.label} size={18} stroke={1.6} className={classes.icon} />
        </Part>
        <Text span truncate flex="1" className={classes.label}>
          {name}
        </Text>
        <CountOf screen={screen} />
      </Link>
      {isPinnable && (
        <UnstyledButton
          className={classes.pin}
          pos="absolute"
          top={0}
          right={2}
          w={34}
          h="100%"
          display="grid"
          c="faint"
          aria-pressed={isPinned}
          aria-label={t(isPinned ? 'menu.unpin' : 'menu.pin', { screen: name })}
          title={t(isPinned ? 'menu.unpin' : 'menu.pin', { screen: name })}
          onClick={() => turn(screen.path)}
        >
          <Pin size={14} stroke={1.6} aria-hidden />
        </UnstyledButton>
      )}
    </Box>
  )
}

interface GroupProps {
  name: string
  icon: TablerIcon
  screens: readonly Screen[]
  isFolded: boolean
  isOpen: boolean
  turn: () => void
}

function Group({ name, icon: Icon, screens, isFolded, isOpen: isUnfolded, turn }: GroupProps) {
  const isHere = useIsHere()
  const { pins } = usePins()
  const flyOut = useFlyOut(isFolded, screens.length)
  const isOpen = isFolded ? flyOut.top !== undefined : isUnfolded
  return (
    <li {...flyOut.whole} style={isOpen && !isFolded ? opened : undefined}>
      <UnstyledButton
        className={`${classes.item} lights inks`}
        onClick={isFolded ? flyOut.toggle : turn}
        aria-expanded={isOpen}
        data-within={screens.some(isHere) && (isFolded || !isOpen)}
        title={isFolded ? undefined : name}
      >
        <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
        <Text span truncate flex="1" className={classes.label}>
          {name}
        </Text>
        {!isOpen &&
          screens
            .filter(({ path }) => !pins.includes(path))
            .map((screen) => <CountOf key={screen.path} screen={screen} />)}
        <IconChevronDown size={15} aria-hidden className={classes.chevron} data-open={isOpen} />
      </UnstyledButton>
      {isOpen && (
        <div className={isFolded ? classes.flyOut : classes.screens} style={isFolded ? { top: flyOut.top } : undefined}>
          <div className={isFolded ? classes.flyOutPaper : undefined}>
            {isFolded && (
              <Text pt="hair" pb="tight" px="xs" c="faint" fz="xs" fw={500}>
                {name}
              </Text>
            )}
            <Stack component="ul" gap={1}>
              {screens.map((screen) => (
                <Item key={screen.path} screen={screen} isNested />
              ))}
            </Stack>
          </div>
        </div>
      )}
    </li>
  )
}
