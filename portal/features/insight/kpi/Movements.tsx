import { Box, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type MovementDirection, movements } from '#contract/cash/movement.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Kpi.module.css'

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
                {['movement', 'media', 'direction', 'count', 'inCash', 'value'].map((name) => (
                  <th key={name} scope="col" className={name === 'media' ? 'wide-only' : undefined}>
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {stats.movements.map(({ type, mediaType, direction, count, cash, value }) => (
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
