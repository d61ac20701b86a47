import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ScreenSkeleton } from '../app/shell/ScreenSkeleton.tsx'
import { ErrorState } from './ErrorState.tsx'
import { ScreenHeader } from './ScreenHeader.tsx'
import classes from './Tabs.module.css'

export interface Tab {
  /** The route of a screen with `tabOf`; the page's own address is its first tab. */
  to: string
  name: string
  count?: ReactNode
}

interface Props {
  query: { data: unknown; error: unknown; refetch: () => unknown }
  title: string | undefined
  aside?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** Between header and tabs: what needs somebody now. */
  banner?: ReactNode
  tabs?: readonly Tab[]
  /** In place of the tabs' Outlet. */
  children?: ReactNode
}

/** The page of one thing: its health in one line, then its tabs, each with an address. */
export function DetailScreen({ query, title, aside, subtitle, actions, banner, tabs, children }: Props) {
  const { t } = useTranslation('ui')
  const path = useLocation({ select: ({ pathname }) => pathname })
  const row = useRef<HTMLElement>(null)
  const isShown = Boolean(query.data)
  // On a narrow screen the row of tabs scrolls; the one that is open is never beyond its edge.
  // oxlint-disable-next-line react/exhaustive-deps -- looked at again when another tab opens or the row appears
  useLayoutEffect(() => {
    const [nav, open] = [row.current, row.current?.querySelector<HTMLElement>('[aria-current="page"]')]
    if (nav && open) nav.scrollLeft = open.offsetLeft - nav.offsetLeft - (nav.clientWidth - open.offsetWidth) / 2
  }, [path, isShown])
  if (query.error && !query.data) return <ErrorState error={query.error} retry={query.refetch} />
  if (!query.data || title === undefined) return <ScreenSkeleton />
  return (
    <>
      <ScreenHeader title={title} aside={aside} subtitle={subtitle} actions={actions} />
      {banner}
      {tabs && (
        <nav ref={row} className={classes.tabs} aria-label={t('tabs')} onKeyDown={moveBetweenTabs}>
          {tabs.map(({ to, name, count }, index) => (
            <Link
              key={to}
              to={to}
              params={(params: object) => params}
              search={keepMerchant as never}
              className={classes.tab}
              activeOptions={{ exact: index === 0, includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
            >
              {name}
              {count !== undefined && <span className={classes.count}>{count}</span>}
            </Link>
          ))}
        </nav>
      )}
      {children ?? <Outlet />}
    </>
  )
}

/** Arrows go from tab to tab, Home and End to the first and the last; Enter opens the one with the focus. */
function moveBetweenTabs(event: KeyboardEvent<HTMLElement>) {
  const tabs = [...event.currentTarget.querySelectorAll('a')]
  const at = tabs.indexOf(event.target as HTMLAnchorElement)
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
  if (next === undefined || at < 0) return
  event.preventDefault()
  tabs.at(next % tabs.length)?.focus()
}

/** Another tab has its own page and filters, and the same merchant. */
const keepMerchant = ({ merchant }: { merchant?: string }) => ({ merchant })
