import { Box, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import {
  type ComponentType,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useLookedAtGroups } from '#portal/app/groups.tsx'
import { useHere } from '#portal/app/here.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Screen } from '#portal/app/screen.ts'
import type { Holder } from '#portal/app/session/may.ts'
import { usePreference } from '#portal/app/theme/preferences.ts'
import { screens, sections } from '#portal/screens.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { isSection, type MenuSection, menuOf } from './menu.ts'
import classes from './SideMenu.module.css'

/** The entries of the menu, by groups; in the folded menu, a section flies out. */
export function MenuEntries({ user, isFolded = false }: { user: Holder; isFolded?: boolean }) {
  const { t } = useTranslation('shell')
  const groups = menuOf(screens, user, useMerchant())
  return (
    <Box component="nav" flex="1" aria-label={t('menu.name')}>
      {groups.map(({ group, entries }) => (
        <Group key={group} group={group} isFolded={isFolded}>
          {entries.map((entry) =>
            isSection(entry) ? (
              <Section key={entry.section} entry={entry} isFolded={isFolded} />
            ) : (
              <Item key={entry.path} screen={entry} />
            ),
          )}
        </Group>
      ))}
    </Box>
  )
}

/** Whether a part of the menu is open, as this browser remembers it. */
function useOpen(part: string): [isOpen: boolean, toggle: () => void] {
  const [closed, setClosed] = usePreference('closedMenus', '')
  const all = closed.split(' ').filter(Boolean)
  const isOpen = !all.includes(part)
  return [isOpen, () => setClosed((isOpen ? [...all, part] : all.filter((one) => one !== part)).join(' '))]
}

function Group({ group, isFolded, children }: { group: string; isFolded: boolean; children: ReactNode }) {
  const { t } = useTranslation('shell')
  const [isOpen, toggle] = useOpen(`group.${group}`)
  const isNamed = group !== 'main' && !isFolded
  return (
    <div className={classes.group}>
      {isNamed && (
        <UnstyledButton className={classes.groupName} onClick={toggle} aria-expanded={isOpen}>
          <Text span truncate flex="1" className={classes.label}>
            {t(`menu.groups.${group}`)}
          </Text>
          <IconChevronDown size={15} aria-hidden className={classes.chevron} data-open={isOpen} />
        </UnstyledButton>
      )}
      {(isOpen || !isNamed) && (
        <Stack component="ul" gap={1}>
          {children}
        </Stack>
      )}
    </div>
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

/** A menu entry is active when the screen in view is its own, or below it. */
function useIsHere(screen: Screen) {
  const here = useHere()
  return here?.screen.path === screen.path || Boolean(here?.ancestors.some(({ path }) => path === screen.path))
}

function Item({ screen, isNested = false }: { screen: Screen; isNested?: boolean }) {
  const { t } = useTranslation('shell')
  const isHere = useIsHere(screen)
  const { selectedIds } = useLookedAtGroups()
  const Icon = screen.menu?.icon
  const Count = countOf(screen)
  const name = t(`screens.${screen.label}`)
  return (
    <li>
      <Link
        to={screen.path}
        className={`${classes.item} lights inks`}
        data-here={isHere}
        data-nested={isNested}
        aria-current={isHere ? 'page' : undefined}
        title={name}
      >
        {Icon && <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />}
        <Text span truncate flex="1" className={classes.label}>
          {name}
        </Text>
        {Count && (
          <Text span c="crit" fw={600} className={classes.count}>
            <Part failed={() => null}>
              <Count key={selectedIds.join()} />
            </Part>
          </Text>
        )}
      </Link>
    </li>
  )
}

function Section({ entry, isFolded }: { entry: MenuSection; isFolded: boolean }) {
  const { t } = useTranslation('shell')
  const here = useHere()
  const [isKeptOpen, toggleKept] = useOpen(entry.section)
  const flyOut = useFlyOut(isFolded)
  const isOpen = isFolded ? flyOut.top !== undefined : isKeptOpen
  const isHere = entry.items.some(
    ({ path }) => path === here?.screen.path || here?.ancestors.some((above) => above.path === path),
  )
  const name = t(`sections.${entry.section}`)
  const Icon = sections[entry.section]?.icon
  return (
    <li {...flyOut.whole}>
      <UnstyledButton
        className={`${classes.item} lights inks`}
        onClick={isFolded ? flyOut.toggle : toggleKept}
        aria-expanded={isOpen}
        data-within={isHere && (isFolded || !isOpen)}
        title={isFolded ? undefined : name}
      >
        {Icon && <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />}
        <Text span truncate flex="1" className={classes.label}>
          {name}
        </Text>
        <IconChevronDown size={15} aria-hidden className={classes.chevron} data-open={isOpen} />
      </UnstyledButton>
      {isOpen && (
        <div className={isFolded ? classes.flyOut : undefined} style={isFolded ? { top: flyOut.top } : undefined}>
          <div className={isFolded ? classes.flyOutPaper : undefined}>
            {isFolded && (
              <Text pt="hair" pb="tight" px="xs" c="faint" fz="xs" fw={500}>
                {name}
              </Text>
            )}
            <Stack component="ul" gap={1}>
              {entry.items.map((item) => (
                <Item key={item.path} screen={item} isNested />
              ))}
            </Stack>
          </div>
        </div>
      )}
    </li>
  )
}

/** Beside the folded menu: opens on hover or press, and closes on leaving, a press, Escape, or navigation. */
function useFlyOut(isFolded: boolean) {
  const [top, setTop] = useState<number>()
  const place = useRef<HTMLLIElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // oxlint-disable-next-line react/exhaustive-deps -- navigation closes it
  useEffect(() => setTop(undefined), [path])
  const open = () => setTop(place.current?.getBoundingClientRect().top)
  const close = () => setTop(undefined)
  const whole = isFolded && {
    ref: place,
    onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && open(),
    onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && close(),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || top === undefined) return
      place.current?.querySelector('button')?.focus()
      close()
    },
    onBlur: (event: FocusEvent) => {
      if (!place.current?.contains(event.relatedTarget)) close()
    },
  }
  // A mouse press follows the hover that has opened it; a key or a finger toggles it.
  const toggle = (event: MouseEvent) =>
    top === undefined || (event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse' ? open() : close()
  return { top, whole, toggle }
}
