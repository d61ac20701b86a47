import { Box, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reports } from '#contract/insight/report.ts'
import { type RefundFigure, refundFigures, typeOfRefunds } from '#contract/vocabulary/insight/report.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Report.module.css'
import type { AskedReport } from './reportSearch.ts'

type Filters = Pick<AskedReport, 'startDate' | 'endDate' | 'groupIds' | 'clientIds' | 'posIds' | 'terms'>

/** The list that a figure counts. */
function placeOf(figure: RefundFigure, { terms, ...filters }: Filters): Place {
  const isPlaced = filters.groupIds.length + filters.clientIds.length > 0
  const search = { ...filters, ...(isPlaced && { terms }) }
  if (figure === 'given') return { to: '/customers-medias/refunds', search }
  const types = figure === 'ofSales' ? saleTypes.map(String) : [String(typeOfRefunds[figure])]
  return {
    to: '/transactions/data',
    search: { ...search, types, ...(figure === 'ofSales' && { refunded: 'true' }) },
  }
}

/** What each figure of refunds of the period counts, so that they are not taken for each other. */
export function RefundFigures({ reportQuery }: { reportQuery: AskedReport }) {
  const { t } = useTranslation('report')
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const { startDate, endDate, groupIds, clientIds, posIds, terms } = reportQuery
  const query = { startDate, endDate, groupIds, clientIds, posIds, terms }
  const { data } = useQuery(queryOf(reports.getRefundFigures, { params: { merchantId }, query }))
  if (!data || data.length === 0) return null
  const rows = refundFigures.flatMap((figure) => data.filter((row) => row.figure === figure))
  return (
    <Card title={t('refunds.title')}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <Box className="scrolls" role="region" tabIndex={0} aria-label={t('refunds.title')}>
        <table className={`${numbers.table} ${classes.table}`}>
          <caption className="unseen">{t('refunds.title')}</caption>
          <thead>
            <tr>
              <th scope="col" className={classes.key}>
                {t('refunds.figure')}
              </th>
              <th scope="col">{t('refunds.count')}</th>
              <th scope="col">{t('refunds.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ figure, currency, count, amount }) => (
              <tr key={`${figure} ${currency}`}>
                <th scope="row" className={classes.key}>
                  {t(`refunds.name.${figure}`)}
                  <Text span display="block" maw="62ch" c="dimmed" fz="xs" fw={400} className={classes.meaning}>
                    {t(`refunds.text.${figure}`)}
                  </Text>
                </th>
                <td>
                  <PlaceLink place={placeOf(figure, query)} className={classes.number}>
                    {format.number(count)}
                  </PlaceLink>
                </td>
                <td>{format.money(amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </Card>
  )
}
