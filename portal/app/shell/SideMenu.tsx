import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconX } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Role } from '#contract/vocabulary/roles.ts'
import { screens, sections } from '../../screens.ts'
import { Logo } from '../../ui/Logo.tsx'
import { useHere } from '../here.ts'
import type { Screen } from '../screen.ts'
import { usePreference } from '../theme/preferences.ts'
import { isSection, type MenuSection, menuOf } from './menu.ts'
import classes from './SideMenu.module.css'

interface Props {
  role: Role
  isOpen: boolean
  isDrawerOpen: boolean
  closeDrawer: () => void
  setMenu: (menu: 'open' | 'icons') => void
}

const noFeatures = new Set<never>()

/** The side menu: full, folded to icons, or on a phone a drawer. */
export function SideMenu({ role, isOpen, isDrawerOpen, closeDrawer, setMenu }: Props) {
  const { t } = useTranslation('shell')
  const drawer = useRef<HTMLDialogElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    if (isDrawerOpen) drawer.current?.showModal()
    else drawer.current?.close()
  }, [isDrawerOpen])
  // oxlint-disable-next-line react/exhaustive-deps -- arriving somewhere closes the drawer
  useEffect(closeDrawer, [path])

  return (
    <>
      <aside className={classes.side} data-open={isOpen}>
        <Link to="/dashboard" className={classes.brand} aria-label="Gettone">
          <Logo />
          <span className={classes.word}>Gettone</span>
        </Link>
        <Entries role={role} />
        <UnstyledButton
          className={classes.fold}
          onClick={() => setMenu(isOpen ? 'icons' : 'open')}
          aria-label={t(isOpen ? 'menu.fold' : 'menu.unfold')}
          title={`${t(isOpen ? 'menu.fold' : 'menu.unfold')} ([)`}
        >
          {isOpen ? (
            <IconLayoutSidebarLeftCollapse size={18} aria-hidden />
          ) : (
            <IconLayoutSidebarLeftExpand size={18} aria-hidden />
          )}
        </UnstyledButton>
      </aside>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Esc closes a dialog by itself */}
      <dialog
        ref={drawer}
        className={classes.drawer}
        aria-label={t('menu.name')}
        onClose={closeDrawer}
        onClick={(event) => event.target === drawer.current && closeDrawer()}
      >
        {isDrawerOpen && (
          <div className={classes.inside}>
            <div className={classes.drawerTop}>
              <span className={classes.brand}>
                <Logo />
                <span className={classes.word}>Gettone</span>
              </span>
              <UnstyledButton className={classes.close} onClick={closeDrawer} aria-label={t('menu.close')}>
                <IconX size={20} aria-hidden />
              </UnstyledButton>
            </div>
            <Entries role={role} />
          </div>
        )}
      </dialog>
    </>
  )
}

function Entries({ role }: { role: Role }) {
  const { t } = useTranslation('shell')
  return (
    <nav className={classes.nav} aria-label={t('menu.name')}>
      {menuOf(screens, role, noFeatures).map(({ group, entries }) => (
        <div key={group} className={classes.group}>
          {group !== 'main' && <h2 className={classes.groupName}>{t(`menu.groups.${group}`)}</h2>}
          <ul className={classes.list}>
            {entries.map((entry) =>
              isSection(entry) ? (
                <Section key={entry.section} entry={entry} />
              ) : (
                <Item key={entry.path} screen={entry} />
              ),
            )}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const counts = new Map<string, ComponentType>()
/** The lazily loaded counter of a menu entry, made once. */
function countOf({ path, menu }: Screen) {
  if (!menu?.count) return undefined
  const made = counts.get(path) ?? lazy(menu.count)
  counts.set(path, made)
  return made
}

/** A menu entry belongs to the address when the screen shown is it, or stands below it. */
function useIsHere(screen: Screen) {
  const here = useHere()
  return here?.screen.path === screen.path || Boolean(here?.ancestors.some(({ path }) => path === screen.path))
}

function Item({ screen, isNested = false }: { screen: Screen; isNested?: boolean }) {
  const { t } = useTranslation('shell')
  const isHere = useIsHere(screen)
  const Icon = screen.menu?.icon
  const Count = countOf(screen)
  const name = t(`screens.${screen.label}`)
  return (
    <li>
      <Link
        to={screen.path}
        className={classes.item}
        data-here={isHere}
        data-nested={isNested}
        aria-current={isHere ? 'page' : undefined}
        title={name}
      >
        {Icon && <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />}
        <span className={classes.label}>{name}</span>
        {Count && (
          <span className={classes.count}>
            <Suspense>
              <Count />
            </Suspense>
          </span>
        )}
      </Link>
    </li>
  )
}

function Section({ entry }: { entry: MenuSection }) {
  const { t } = useTranslation('shell')
  const here = useHere()
  const [closed, setClosed] = usePreference('closedMenus', '')
  const all = closed.split(' ').filter(Boolean)
  const isOpen = !all.includes(entry.section)
  const toggle = () =>
    setClosed((isOpen ? [...all, entry.section] : all.filter((one) => one !== entry.section)).join(' '))
  const isHere = entry.items.some(
    ({ path }) => path === here?.screen.path || here?.ancestors.some((above) => above.path === path),
  )
  const Icon = sections[entry.section]?.icon
  return (
    <li>
      <UnstyledButton
        className={classes.item}
        onClick={toggle}
        aria-expanded={isOpen}
        data-within={isHere && !isOpen}
        title={t(`sections.${entry.section}`)}
      >
        {Icon && <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />}
        <span className={classes.label}>{t(`sections.${entry.section}`)}</span>
        <IconChevronDown size={15} aria-hidden className={classes.chevron} data-open={isOpen} />
      </UnstyledButton>
      {isOpen && (
        <ul className={classes.list}>
          {entry.items.map((item) => (
            <Item key={item.path} screen={item} isNested />
          ))}
        </ul>
      )}
    </li>
  )
}
