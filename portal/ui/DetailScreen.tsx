import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../app/apiError.ts'
import { useHere } from '../app/here.ts'
import { ScreenSkeleton } from '../app/shell/ScreenSkeleton.tsx'
import { DetailTabs } from './DetailTabs.tsx'
import { EmptyState, ErrorState, sentenceOf } from './ErrorState.tsx'
import type { Tab } from './MoreTabs.tsx'
import { PlaceLink } from './PlaceLink.tsx'
import { ScreenHeader } from './ScreenHeader.tsx'

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
  if (query.error instanceof ApiError && query.error.status === 404) return <Gone error={query.error} text={gone} />
  if (query.error && !query.data) return <ErrorState error={query.error} retry={query.refetch} />
  if (!query.data || title === undefined) return <ScreenSkeleton />
  return (
    <>
      <ScreenHeader title={title} aside={aside} subtitle={subtitle} actions={actions} />
      {banner}
      {tabs && <DetailTabs tabs={tabs} moreTabs={moreTabs} />}
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
