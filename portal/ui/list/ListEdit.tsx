import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { rowQuery } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useLivePause } from '#portal/app/live/live.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import EditGrid from '../grid/EditGrid.tsx'
import type { ListEdit as Edit } from '../grid/types.ts'
import { ErrorState } from '../part/ErrorState.tsx'
import type { PageOf } from './rows/useRows.ts'

/** Maximum rows of one grid; a larger list must be filtered first. */
const mostRows = 500

interface Props<T> extends Edit<T> {
  name: string
  row: AnyEndpoint
  params: unknown
  /** The list's current query: its filters and its order. */
  query: Record<string, unknown>
  keyOf: (item: T) => string
  close: () => void
  /** Called with the number of unsaved changes. */
  onChanges?: (count: number) => void
}

/** A list in edit mode: its matching rows as a grid. Live updates wait until the grid is closed. */
export default function ListEdit<T>({ row, params, query, close, ...edit }: Props<T>) {
  const { t } = useTranslation('editing')
  const format = useFormat()
  const client = useQueryClient()
  const [page, setPage] = useState<PageOf<T>>()
  const [error, setError] = useState<unknown>()
  useLivePause(true)
  const load = () => {
    setError(undefined)
    const everything = { ...query, page: 1, size: mostRows, cursor: undefined }
    void client.fetchQuery({ ...rowQuery(row, { params, query: everything }), staleTime: 0 }).then(
      (answer) => setPage(answer as PageOf<T>),
      (failure: unknown) => setError(failure),
    )
  }
  // oxlint-disable-next-line react/exhaustive-deps -- the grid begins with what is there when it is opened
  useEffect(load, [])
  // The browser's Back button leaves the grid.
  const address = useLocation({ select: ({ searchStr }) => searchStr })
  const [begun] = useState(address)
  useEffect(() => {
    if (address !== begun) close()
  }, [address, begun, close])
  if (error) return <ErrorState error={error} retry={load} />
  if (!page) return <Panel aria-busy="true" style={{ minHeight: 300 }} />
  const loaded = format.number(page.items.length)
  const total = format.number(page.total)
  return (
    <>
      {page.total > page.items.length && <Text my="part">{t('grid.limited', { number: loaded, total })}</Text>}
      <EditGrid {...edit} rows={page.items} close={close} />
    </>
  )
}
