import { Box, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type MovementDirection, movements } from '#contract/cash/movement.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { SortHeading } from '#portal/ui/list/SortHeading.tsx'
import { useSorted } from '#portal/ui/list/useSorted.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Kpi.module.css'

const columns = ['movement', 'media', 'direction', 'count', 'inCash', 'value'] as const
type Column = (typeof columns)[number]
const textColumns: readonly Column[] = ['movement', 'media', 'direction']
const none: readonly never[] = []

const looks = { in: 'ok', out: 'info', none: 'mute' } as const satisfies Record<MovementDirection, string>

interface Props {
  params: { merchantId: string; posId: string }
  startDate: string
  endDate: string
}

/** Money received and paid out by a machine in a period, by kind. */
export function Movements({ params, startDate, endDate }: Props) {
  const { t } = useTranslation('kpi')
  const format = useFormat()
  const names = useCodeNames()
  const answer = useQuery({
    ...queryOf(movements.getMovementStats, { params, query: { startDate, endDate } }),
    placeholderData: keepPreviousData,
  })
  const sorted = useSorted(answer.data?.movements ?? none, (movement, column: Column) => {
    if (column === 'movement') return names.type(movement.type)
    if (column === 'media') return names.mediaType(movement.mediaType)
    if (column === 'direction') return t(`directions.${movement.direction}`)
    return column === 'inCash' ? movement.cash : movement[column]
  })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  const stats = answer.data
  if (!stats) return <Box mih={200} bdrs="md" bg="var(--sunken)" opacity={0.6} aria-busy="true" />
  const amount = (minor: number) => <Amount minor={minor} currency={stats.currency} />
  return (
    <Card title={t('movements')} note={t('movementsNote')}>
      <Facts
        facts={[
          { name: t('cashIn'), value: amount(stats.cash.in) },
          { name: t('cashOut'), value: amount(stats.cash.out) },
          { name: t('cashlessIn'), value: amount(stats.cashless.in) },
          { name: t('cashlessOut'), value: amount(stats.cashless.out) },
        ]}
      />
      {stats.movements.length === 0 ? (
        <Text mt="near" c="dimmed">
          {t('noMovements')}
        </Text>
      ) : (
        <Box mt="xs" className="scrolls" role="group" tabIndex={0} aria-label={t('movements')}>
          <table className={`${numbers.table} ${classes.table}`}>
            <caption className="unseen">{t('movements')}</caption>
            <thead>
              <tr>
                {columns.map((name) => (
                  <SortHeading
                    key={name}
                    by={name}
                    name={t(name)}
                    className={name === 'media' ? 'wide-only' : undefined}
                    isText={textColumns.includes(name)}
                    {...sorted.heading}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {sorted.rows.map(({ type, mediaType, direction, count, cash, value }) => (
                <tr key={`${type} ${mediaType}`}>
                  <th scope="row">
                    {names.type(type)}
                    <span className={classes.below}>{names.mediaType(mediaType)}</span>
                  </th>
                  <td className="wide-only">{names.mediaType(mediaType)}</td>
                  <td>
                    <Badge tone={looks[direction]}>{t(`directions.${direction}`)}</Badge>
                  </td>
                  <td>{format.number(count)}</td>
                  <td>{cash === 0 ? '–' : amount(cash)}</td>
                  <td>{amount(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Box>
      )}
    </Card>
  )
}
