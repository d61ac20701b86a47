import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../app/apiError.ts'
import { useHere } from '../app/here.ts'
import { ScreenSkeleton } from '../app/shell/ScreenSkeleton.tsx'
import { EmptyState, ErrorState, sentenceOf } from './ErrorState.tsx'
import { lazyPart, Part } from './lazyPart.tsx'
import type { Tab } from './MoreTabs.tsx'
import { PlaceLink } from './PlaceLink.tsx'
import { ScreenHeader } from './ScreenHeader.tsx'
import classes from './Tabs.module.css'
import { useFittingTabs } from './useFittingTabs.ts'

const MoreTabs = lazyPart(() => import('./MoreTabs.tsx'))

interface Props {
  query: { data: unknown; error: unknown; refetch: () => unknown }
  title: string | undefined
  aside?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** Between header and tabs: what needs somebody now. */
  banner?: ReactNode
  tabs?: readonly Tab[]
  /** The name of the menu that takes the tabs for which there is no room; without it the row scrolls. */
  moreTabs?: string
  /** Why it may not be there. */
  gone?: string
  /** In place of the tabs' Outlet. */
  children?: ReactNode
}

/** The page of one thing: its health in one line, then its tabs, each with an address. */
export function DetailScreen({
  query,
  title,
  aside,
  subtitle,
  actions,
  banner,
  tabs,
  moreTabs,
  gone,
  children,
}: Props) {
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
  const fitting = useFittingTabs(row, moreTabs ? `${path} ${isShown} ${tabs?.map(({ name }) => name).join()}` : '')
  const isFolded = (at: number) => moreTabs !== undefined && fitting !== 'all' && !fitting.has(at)
  const folded = tabs?.filter((_, at) => isFolded(at)) ?? []
  if (query.error instanceof ApiError && query.error.status === 404) return <Gone error={query.error} text={gone} />
  if (query.error && !query.data) return <ErrorState error={query.error} retry={query.refetch} />
  if (!query.data || title === undefined) return <ScreenSkeleton />
  return (
    <>
      <ScreenHeader title={title} aside={aside} subtitle={subtitle} actions={actions} />
      {banner}
      {tabs && (
        <div className={classes.line}>
          <nav ref={row} className={classes.tabs} aria-label={t('tabs')} onKeyDown={moveBetweenTabs}>
            {tabs.map(({ to, name, count }, index) => (
              <Link
                key={to}
                to={to}
                params={(params: object) => params}
                search={keepMerchant as never}
                className={classes.tab}
                hidden={isFolded(index)}
                activeOptions={{ exact: index === 0, includeSearch: false }}
                activeProps={{ 'aria-current': 'page' }}
              >
                {name}
                {count !== undefined && <span className={classes.count}>{count}</span>}
              </Link>
            ))}
          </nav>
          {moreTabs && folded.length > 0 && (
            <Part fallback={<span className={classes.others}>{moreTabs}</span>}>
              <MoreTabs tabs={folded} name={moreTabs} />
            </Part>
          )}
        </div>
      )}
      {children ?? <Outlet />}
    </>
  )
}

/** A thing that is not there, any more or for this person: trying again would not bring it. */
function Gone({ error, text }: { error: ApiError; text: string | undefined }) {
  const { t } = useTranslation(['errors', 'shell'])
  const here = useHere()
  const above = here?.ancestors.findLast(({ path }) => path !== here.screen.tabOf)
  const own = here?.ancestors.find(({ path }) => path === here.screen.tabOf) ?? here?.screen
  return (
    <>
      <ScreenHeader title={own && t(`shell:screens.${own.label}`)} />
      <EmptyState title={sentenceOf((key, values) => t(key, values), error)} {...(text && { text })}>
        {above && <PlaceLink place={{ to: above.path }}>{t(`shell:screens.${above.label}`)}</PlaceLink>}
      </EmptyState>
    </>
  )
}

/** Arrows go from tab to tab, Home and End to the first and the last; Enter opens the one with the focus. */
function moveBetweenTabs(event: KeyboardEvent<HTMLElement>) {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a:not([hidden])')]
  const at = tabs.indexOf(event.target as HTMLAnchorElement)
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
  if (next === undefined || at < 0) return
  event.preventDefault()
  tabs.at(next % tabs.length)?.focus()
}

/** Another tab has its own page and filters, and the same merchant. */
const keepMerchant = ({ merchant }: { merchant?: string }) => ({ merchant })
