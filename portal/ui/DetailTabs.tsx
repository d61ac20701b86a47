import { Link, useLocation } from '@tanstack/react-router'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart, Part } from './lazyPart.tsx'
import type { Tab } from './MoreTabs.tsx'
import classes from './Tabs.module.css'
import { useFittingTabs } from './useFittingTabs.ts'

const MoreTabs = lazyPart(() => import('./MoreTabs.tsx'))

interface Props {
  tabs: readonly Tab[]
  /** The name of the menu that takes the tabs for which there is no room; without it the row scrolls. */
  moreTabs: string | undefined
}

/** The tabs of a page, each with an address. */
export function DetailTabs({ tabs, moreTabs }: Props) {
  const { t } = useTranslation('ui')
  const path = useLocation({ select: ({ pathname }) => pathname })
  const row = useRef<HTMLElement>(null)
  // On a narrow screen the row of tabs scrolls; the one that is open is never beyond its edge.
  // oxlint-disable-next-line react/exhaustive-deps -- looked at again when another tab opens
  useLayoutEffect(() => {
    const [nav, open] = [row.current, row.current?.querySelector<HTMLElement>('[aria-current="page"]')]
    if (nav && open) nav.scrollLeft = open.offsetLeft - nav.offsetLeft - (nav.clientWidth - open.offsetWidth) / 2
  }, [path])
  const fitting = useFittingTabs(row, moreTabs ? `${path} ${tabs.map(({ name }) => name).join()}` : '')
  const isFolded = (at: number) => moreTabs !== undefined && fitting !== 'all' && !fitting.has(at)
  const folded = tabs.filter((_, at) => isFolded(at))
  return (
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
