import { Box, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Report, ReportRow, ReportTotal } from '#contract/insight/report.ts'
import { lessIsBetter, type ReportOrd, reportFigures } from '#contract/vocabulary/insight/report.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { placeInMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { SortHeading, type TableOrder } from '#portal/ui/list/SortHeading.tsx'
import { Change } from '#portal/ui/value/Change.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import { KeyLink } from './KeyLink.tsx'
import classes from './Report.module.css'
import { placeOfFigure, placeOfKey } from './reportPlaces.ts'
import type { AskedReport } from './reportSearch.ts'
import type { ReportNames } from './useReportNames.ts'

const firstRows = 100

interface Props {
  report: Report
  reportQuery: AskedReport
  names: ReportNames
  order: TableOrder<ReportOrd>
  sort: (order: TableOrder<ReportOrd>) => void
}

const keyOrds = ['first', 'second'] as const

/** Rows and totals. Any column sorts; names lead to what is behind them, numbers to their list. */
export function ReportTable({ report, reportQuery, names, order, sort }: Props) {
  const { t } = useTranslation('report')
  const { number } = useFormat()
  const { isAll } = useMerchant()
  const sorting = { ord: order.ord, ordType: order.ordType, sort }
  const [isWhole, setWhole] = useState(false)
  const isPart = report.rows.length < report.rowCount
  const rows = isWhole ? report.rows : report.rows.slice(0, firstRows)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <Box className="scrolls" role="region" tabIndex={0} aria-label={t(`type.${report.type}`)}>
        <table className={`${numbers.table} ${classes.table}`}>
          <caption className="unseen">{t(`type.${report.type}`)}</caption>
          <thead>
            <tr>
              {report.by.map((one, at) => (
                <SortHeading
                  key={one}
                  by={keyOrds[at] ?? 'first'}
                  name={names.dimension(one)}
                  className={classes.key}
                  isText
                  {...sorting}
                />
              ))}
              {isAll && <SortHeading by="merchant" name={t('merchant')} className={classes.key} isText {...sorting} />}
              {report.figures.map((figure) => (
                <SortHeading key={figure} by={figure} name={names.figure(figure)} {...sorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => {
              const keys = names.keys(report.by, row)
              const above = rows[at - 1]
              const isSame =
                report.by.length > 1 && above?.keys[0] === row.keys[0] && above?.currency === row.currency && !isAll
              return (
                <tr key={`${row.merchantId} ${JSON.stringify(row.keys)}`}>
                  {keys.map((name, place) => {
                    const link = (
                      <KeyLink place={placeOfKey(report, reportQuery, row, place)} merchantId={row.merchantId}>
                        {name}
                      </KeyLink>
                    )
                    return place === 0 ? (
                      <th key={report.by[place]} scope="row" className={classes.key}>
                        {isSame ? <span className="unseen">{name}</span> : link}
                      </th>
                    ) : (
                      <td key={report.by[place]} className={classes.key}>
                        {link}
                      </td>
                    )
                  })}
                  {isAll && <td className={classes.key}>{row.merchantName}</td>}
                  <FigureCells
                    figures={report.figures}
                    row={row}
                    names={names}
                    placeOf={(figure) => {
                      const place = placeOfFigure(report, reportQuery, figure, row)
                      return place && isAll ? placeInMerchant(row.merchantId, place) : place
                    }}
                  />
                </tr>
              )
            })}
          </tbody>
          <tfoot>
            {report.totals.map((total) => (
              <tr key={total.currency}>
                <th scope="row" colSpan={report.by.length + (isAll ? 1 : 0)} className={classes.key}>
                  {report.totals.length > 1 ? t('totalOf', { currency: total.currency }) : t('total')}
                </th>
                <FigureCells
                  figures={report.figures}
                  row={total}
                  names={names}
                  placeOf={(figure) =>
                    report.totals.length > 1 ? undefined : placeOfFigure(report, reportQuery, figure, undefined)
                  }
                />
              </tr>
            ))}
          </tfoot>
        </table>
      </Box>
      {!isWhole && report.rows.length > firstRows && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setWhole(true)}>
            {t(isPart ? 'first' : 'all', { number: number(report.rows.length) })}
          </Button>
        </div>
      )}
      {isWhole && isPart && (
        <Text className={classes.more} c="dimmed">
          {t('firstOf', { number: number(report.rows.length), total: number(report.rowCount) })}
        </Text>
      )}
    </>
  )
}

interface CellsProps {
  figures: Report['figures']
  row: ReportRow | ReportTotal
  names: ReportNames
  placeOf: (figure: Report['figures'][number]) => ReturnType<typeof placeOfFigure>
}

/** The figures of a row, each with its change; they lead to the list behind them. */
function FigureCells({ figures, row, names, placeOf }: CellsProps) {
  return figures.map((figure, at) => {
    const value = row.values[at]
    const before = row.before?.[at]
    const written = names.value(figure, value, row.currency)
    const place = value ? placeOf(figure) : undefined
    return (
      <td key={figure}>
        {place ? (
          <PlaceLink place={place} className={classes.number}>
            {written}
          </PlaceLink>
        ) : (
          written
        )}
        {typeof value === 'number' && typeof before === 'number' && (
          <Text span display="block" fz="xs">
            <Change
              value={value}
              before={before}
              isShare={reportFigures[figure] === 'percent'}
              isLessBetter={lessIsBetter.includes(figure)}
            />
          </Text>
        )}
      </td>
    )
  })
}
