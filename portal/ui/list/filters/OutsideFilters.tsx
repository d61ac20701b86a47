import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { rowQuery } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import classes from '../ListScreen.module.css'
import type { PageOf } from '../rows/useRows.ts'
import type { ListRules, ListState } from '../state/listState.ts'
import { type ListQuery, outsideOf } from './outside.ts'

interface Props {
  row: AnyEndpoint
  params: unknown
  query: ListQuery
  rules: ListRules
  filters: ListState['filters']
  set: (filters: ListState['filters']) => void
}

/** The matches of a search outside the other filters, when it has none with them; a click removes these filters. */
export function OutsideFilters({ row, params, query, rules, filters, set }: Props) {
  const { t } = useTranslation('list')
  const format = useFormat()
  const outside = outsideOf(rules, filters, query)
  const { data } = useQuery({
    ...rowQuery(row, { params, query: outside?.query }),
    enabled: outside !== undefined && outside.search.length >= enoughLetters,
  })
  const page = data as PageOf<unknown> | undefined
  if (!outside || !page || page.total === 0) return null
  return (
    <Box
      type="button"
      component="button"
      py="tight"
      px="near"
      bdrs="sm"
      c="gold"
      fw={550}
      className={classes.link}
      onClick={() => set(outside.filters)}
    >
      {t('outside', { count: page.total, number: format.number(page.total) })}
    </Box>
  )
}
