import { Box, Flex } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '#portal/app/apiError.ts'
import { isEnabled } from '#portal/app/enabled.ts'
import { useHere } from '#portal/app/here.ts'
import { RecordMerchant, useMerchant, useSwitchedMerchant } from '#portal/app/merchant.tsx'
import { NotEnabled } from '#portal/ui/part/NotEnabled.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { DetailTabs, type Tab } from './DetailTabs.tsx'
import { RecordFailure } from './Missing.tsx'
import { ScreenHeader } from './ScreenHeader.tsx'

interface Props {
  query: { data: unknown; error: unknown; refetch: () => unknown }
  /** The record's merchant; everything on its page uses it, whatever the switcher shows. */
  merchantId?: string | undefined
  title: string | undefined
  aside?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** Between header and tabs: what needs attention now. */
  banner?: ReactNode
  tabs?: readonly Tab[]
  /** The error, if it failed to load. */
  gone?: string
  /** Replaces the tabs' Outlet. */
  children?: ReactNode
}

/** The page of a record: its health in one line, then its tabs, each with an address. */
export function DetailScreen({ query, merchantId, title, gone, ...parts }: Props) {
  const isGone = query.error instanceof ApiError && query.error.status === 404
  if (query.error && (isGone || !query.data))
    return <RecordFailure error={query.error} retry={query.refetch} text={gone} />
  if (!query.data || title === undefined) return <ScreenSkeleton />
  return (
    <RecordMerchant id={merchantId}>
      <Page title={title} {...parts} />
    </RecordMerchant>
  )
}

type PageProps = Omit<Props, 'query' | 'merchantId' | 'title' | 'gone'> & { title: string }

function Page({ title, aside, subtitle, actions, banner, tabs, children }: PageProps) {
  const here = useHere()
  const merchant = useMerchant()
  const isOfOther = useSwitchedMerchant().id !== merchant.id
  const subtitleLine = isOfOther ? (
    <Flex rowGap={0} columnGap="snug" wrap="wrap">
      <Owner />
      {subtitle && <span aria-hidden>·</span>}
      {subtitle}
    </Flex>
  ) : (
    subtitle
  )
  return (
    <>
      <ScreenHeader title={title} aside={aside} subtitle={subtitleLine} actions={actions} />
      {banner}
      {tabs && <DetailTabs tabs={tabs} />}
      {here && !isEnabled(here.screen, merchant) ? <NotEnabled label={here.screen.label} /> : (children ?? <Outlet />)}
    </>
  )
}

/** The record's merchant and the zone of its times, if they differ from the switcher. */
function Owner() {
  const { name, timeZone } = useMerchant()
  return (
    <span>
      <Box component="strong" c="bright" fw={600}>
        {name}
      </Box>{' '}
      {timeZone.replaceAll('_', ' ')}
    </span>
  )
}
