import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useHere } from '#portal/app/here.ts'
import { moveFocus } from '../moveFocus.ts'
import { openTab } from './openTab.ts'
import classes from './Tabs.module.css'

export interface Tab {
  /** The route of a screen with `tabOf`; the page's own address is its first tab. */
  to: string
  name: string
  count?: ReactNode
  /** The tab has these pages and opens the first of them; a second row shows them all. */
  pages?: readonly Tab[]
}

/** The tabs of a page, each with an address; below them the pages of the open tab, if it has several. */
export function DetailTabs({ tabs }: { tabs: readonly Tab[] }) {
  const { t } = useTranslation('ui')
  const path = useHere()?.screen.path ?? ''
  const page = openTab(
    tabs.flatMap((tab) => tab.pages ?? [tab]),
    path,
  )
  const open = tabs.find((tab) => (tab.pages ?? [tab]).some((one) => one === page))
  const pages = open?.pages ?? []
  return (
    <>
      <Row tabs={tabs} open={open} name={t('tabs')} />
      {open && pages.length > 1 && <Row tabs={pages} open={page} name={open.name} isQuiet />}
    </>
  )
}

interface RowProps {
  tabs: readonly Tab[]
  open: Tab | undefined
  name: string
  isQuiet?: boolean
}

function Row({ tabs, open, name, isQuiet = false }: RowProps) {
  const row = useRef<HTMLElement>(null)
  // On a narrow screen the row of tabs scrolls; the open tab stays in view.
  // oxlint-disable-next-line react/exhaustive-deps -- runs again when another tab opens
  useLayoutEffect(() => {
    const nav = row.current
    const currentTab = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav && currentTab)
      nav.scrollLeft = currentTab.offsetLeft - nav.offsetLeft - (nav.clientWidth - currentTab.offsetWidth) / 2
  }, [open?.to])
  return (
    <nav
      ref={row}
      className={isQuiet ? classes.pages : classes.tabs}
      aria-label={name}
      data-has-pages={(!isQuiet && (open?.pages?.length ?? 0) > 1) || undefined}
      onKeyDown={(event) => moveFocus(event, 'a', 'row')}
    >
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          params={(params: object) => params}
          className={isQuiet ? classes.page : classes.tab}
          // The open tab is known here: an address may be below the tab's own.
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={none}
          aria-current={tab === open ? (tab.pages && tab.pages.length > 1 ? true : 'page') : undefined}
        >
          {tab.name}
          {tab.count !== undefined && (
            <Text span ml={5} c="faint" fz="sm" fw={400}>
              {tab.count}
            </Text>
          )}
        </Link>
      ))}
    </nav>
  )
}

const none = {}
