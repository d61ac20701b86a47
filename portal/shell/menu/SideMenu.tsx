import { Box, Group, UnstyledButton } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconX } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Holder } from '#portal/app/session/may.ts'
import { Logo } from '#portal/ui/value/Logo.tsx'
import { MenuEntries } from './MenuEntries.tsx'
import classes from './SideMenu.module.css'

interface Props {
  user: Holder
  isOpen: boolean
  isDrawerOpen: boolean
  closeDrawer: () => void
  setOpen: (isOpen: boolean) => void
}

/** The side menu: full, folded to icons, or on a phone a drawer. */
export function SideMenu({ user, isOpen, isDrawerOpen, closeDrawer, setOpen }: Props) {
  const { t } = useTranslation('shell')
  const drawer = useRef<HTMLDialogElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    if (isDrawerOpen) drawer.current?.showModal()
    else drawer.current?.close()
  }, [isDrawerOpen])
  // oxlint-disable-next-line react/exhaustive-deps -- navigation closes the drawer
  useEffect(closeDrawer, [path])

  return (
    <>
      <aside className={`${classes.side} no-print`} data-open={isOpen}>
        <Link to="/dashboard" className={classes.brand} aria-label="Gettone">
          <Logo />
          <span className={classes.word}>Gettone</span>
        </Link>
        <MenuEntries user={user} isFolded={!isOpen} />
        <UnstyledButton
          className={classes.fold}
          onClick={() => setOpen(!isOpen)}
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
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- a dialog closes on Esc natively */}
      <dialog
        ref={drawer}
        className={classes.drawer}
        aria-label={t('menu.name')}
        onClose={closeDrawer}
        onClick={(event) => event.target === drawer.current && closeDrawer()}
      >
        {isDrawerOpen && (
          <Box pb="md" px="near" className={classes.inside}>
            <Group gap={0} wrap="nowrap" justify="space-between">
              <span className={classes.brand}>
                <Logo />
                <span className={classes.word}>Gettone</span>
              </span>
              <UnstyledButton className={classes.close} onClick={closeDrawer} aria-label={t('menu.close')}>
                <IconX size={20} aria-hidden />
              </UnstyledButton>
            </Group>
            <MenuEntries user={user} />
          </Box>
        )}
      </dialog>
    </>
  )
}
