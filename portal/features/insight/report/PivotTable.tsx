import { Box, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Report, ReportPivot } from '#contract/insight/report.ts'
import type { ReportOrd } from '#contract/vocabulary/insight/report.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { SortHeading, type TableOrder } from '#portal/ui/list/SortHeading.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import { KeyLink } from './KeyLink.tsx'
import classes from './Report.module.css'
import { placeOfFigure, placeOfKey } from './reportPlaces.ts'
import type { AskedReport } from './reportSearch.ts'
import type { ReportNames } from './useReportNames.ts'

/** The order of a pivot: by a column's key, or by the total, whose key is null. */
export interface PivotOrder extends TableOrder<ReportOrd> {
  ordKey: string | null
}

interface Props {
  report: Report
  pivot: ReportPivot
  reportQuery: AskedReport
  names: ReportNames
  order: PivotOrder
  sort: (order: PivotOrder) => void
}

const strong = { color: 'var(--ink)', fontWeight: 600 }

/** A column's order as one text: names, merchant, the total, or a column by its key. */
const orderText = ({ ord, ordKey }: PivotOrder) =>
  ord === null || ord === 'first' || ord === 'merchant' ? ord : ordKey === null ? 'total' : `key ${ordKey}`

/** A figure by the first grouping in rows and the second in columns, with totals of both. */
export function PivotTable({ report, pivot, reportQuery, names, order, sort }: Props) {
  const { t } = useTranslation('report')
  const { number } = useFormat()
  const { isAll } = useMerchant()
  const { figure, columns, others, rows, totals, rowCount } = pivot
  const [first = 'product', second = 'product'] = report.by
  const nameOf = (dimension: typeof first, { key, label, currency }: ReportPivot['columns'][number]) =>
    names.keys([dimension], { keys: [key], labels: [label], currency })[0]
  const title = t('pivot.title', { figure: names.figure(figure), by: names.dimension(second) })
  const shared = {
    ord: orderText(order),
    ordType: order.ordType,
    sort: ({ ord, ordType }: TableOrder<string>) =>
      sort(
        ord === null || ord === 'first' || ord === 'merchant'
          ? { ord, ordType, ordKey: null }
          : { ord: figure, ordType, ordKey: ord === 'total' ? null : ord.slice('key '.length) },
      ),
  }
  const cellsOf = (row: ReportPivot['rows'][number] | ReportPivot['totals'][number], keys: [string | null] | null) =>
    row.cells.map((value, at) => {
      const column = columns[at]
      const place =
        value && column && keys && 'isGone' in row
          ? placeOfFigure(report, reportQuery, figure, { keys: [keys[0], column.key], isGone: row.isGone })
          : undefined
      return (
        <td key={column?.key ?? at}>
          {'merchantId' in row ? (
            <KeyLink place={place} merchantId={row.merchantId}>
              {names.value(figure, value, row.currency)}
            </KeyLink>
          ) : (
            names.value(figure, value, row.currency)
          )}
        </td>
      )
    })
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <Box className="scrolls" role="region" tabIndex={0} aria-label={title}>
        <table className={`${numbers.table} ${classes.table}`}>
          <caption className="unseen">{title}</caption>
          <thead>
            <tr>
              <SortHeading by="first" name={names.dimension(first)} className={classes.key} isText {...shared} />
              {isAll && <SortHeading by="merchant" name={t('merchant')} className={classes.key} isText {...shared} />}
              {columns.map((column) => (
                <SortHeading
                  key={`${column.key} ${column.currency}`}
                  by={`key ${column.key ?? ''}`}
                  name={nameOf(second, column) ?? ''}
                  {...shared}
                />
              ))}
              {others > 0 && <th scope="col">{t('pivot.others', { number: number(others) })}</th>}
              <SortHeading by="total" name={t('total')} {...shared} />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.merchantId} ${row.key}`}>
                <th scope="row" className={classes.key}>
                  <KeyLink
                    place={placeOfKey(report, reportQuery, { keys: [row.key], isGone: row.isGone }, 0)}
                    merchantId={row.merchantId}
                  >
                    {nameOf(first, row)}
                  </KeyLink>
                </th>
                {isAll && <td className={classes.key}>{row.merchantName}</td>}
                {cellsOf(row, [row.key])}
                <td style={strong}>{names.value(figure, row.total, row.currency)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {totals.map((total) => (
              <tr key={total.currency}>
                <th scope="row" colSpan={isAll ? 2 : 1} className={classes.key}>
                  {totals.length > 1 ? t('totalOf', { currency: total.currency }) : t('total')}
                </th>
                {cellsOf(total, null)}
                <td style={strong}>{names.value(figure, total.total, total.currency)}</td>
              </tr>
            ))}
          </tfoot>
        </table>
      </Box>
      {rows.length < rowCount && (
        <Text className={classes.more} c="dimmed">
          {t('firstOf', { number: number(rows.length), total: number(rowCount) })}
        </Text>
      )}
    </>
  )
}
