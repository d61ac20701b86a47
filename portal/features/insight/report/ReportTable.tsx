import { Box, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Report, ReportRow, ReportTotal } from '#contract/insight/report.ts'
import { lessIsBetter, reportFigures } from '#contract/vocabulary/insight/report.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { placeInMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { Change } from '#portal/ui/value/Change.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Report.module.css'
import { placeOfFigure } from './reportPlaces.ts'
import type { AskedReport } from './reportSearch.ts'
import type { ReportNames } from './useReportNames.ts'

const firstRows = 100

interface Props {
  report: Report
  reportQuery: AskedReport
  names: ReportNames
}

/** Rows and totals; each number leads to the list behind it. */
export function ReportTable({ report, reportQuery, names }: Props) {
  const { t } = useTranslation('report')
  const { number } = useFormat()
  const { isAll } = useMerchant()
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
              {report.by.map((one) => (
                <th key={one} scope="col" className={classes.key}>
                  {names.dimension(one)}
                </th>
              ))}
              {isAll && (
                <th scope="col" className={classes.key}>
                  {t('merchant')}
                </th>
              )}
              {report.figures.map((figure) => (
                <th key={figure} scope="col">
                  {names.figure(figure)}
                </th>
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
                  {keys.map((name, place) =>
                    place === 0 ? (
                      <th key={report.by[place]} scope="row" className={classes.key}>
                        {isSame ? <span className="unseen">{name}</span> : name}
                      </th>
                    ) : (
                      <td key={report.by[place]} className={classes.key}>
                        {name}
                      </td>
                    ),
                  )}
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
