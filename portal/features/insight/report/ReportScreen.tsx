import { Box, Button, Stack } from '@mantine/core'
import {
  IconAdjustmentsHorizontal,
  IconDeviceFloppy,
  IconFileTypeCsv,
  IconFileTypePdf,
  IconTable,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Report, type ReportDefinition, reports } from '#contract/insight/report.ts'
import { lessIsBetter, reportFigures, sourceOf } from '#contract/vocabulary/insight/report.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { sharesOf } from '#domain/insight/report-shares.ts'
import { download, queryOf } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { idOf } from '#portal/app/search.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { StatCard, StatCards } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { usePeriodName } from '#portal/ui/time/PeriodPanel.tsx'
import { Change, useComparedWith } from '#portal/ui/value/Change.tsx'
import { PivotTable } from './PivotTable.tsx'
import { RefundFigures } from './RefundFigures.tsx'
import classes from './Report.module.css'
import { ReportChart } from './ReportChart.tsx'
import { ReportTable } from './ReportTable.tsx'
import { placeOfFigure } from './reportPlaces.ts'
import { type AskedReport, definitionIn, definitionOf, searchOfReport, useReportQuery } from './reportSearch.ts'
import { SaveReportDialog } from './SaveReportDialog.tsx'
import { TableChoices } from './TableChoices.tsx'
import { type ReportNames, useReportNames } from './useReportNames.ts'

/** The result of a report: totals, chart, table; as PDF and workbook. */
export default function ReportScreen() {
  const { t, i18n } = useTranslation('report')
  const { id: merchantId, isAll } = useMerchant()
  const search = useAddressQuery()
  const go = useGo()
  const id = idOf(search, 'report')
  const [isSaving, setSaving] = useState(false)
  const { data: saved, error: missing } = useQuery({
    ...queryOf(reports.getSavedReport, { params: { merchantId, reportId: id ?? '' } }),
    enabled: id !== undefined && !isAll,
  })
  // A link in a mail names a saved report only.
  const isBare = search.type === undefined
  const report = useMemo(() => (isBare && saved ? definitionOf(saved) : definitionIn(search)), [isBare, saved, search])
  const reportQuery = useReportQuery(report)
  const periodName = usePeriodName()
  const params = { merchantId }
  const answer = useQuery({
    ...queryOf(reports.getReport, { params, query: reportQuery }),
    enabled: !isBare || saved !== undefined || id === undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const names = useReportNames(report.parameter)
  const title = saved?.name ?? t(`type.${report.type}`)
  const language = i18n.language as Language
  const save = (
    row: typeof reports.getReportPdf | typeof reports.getReportXlsx | typeof reports.getReportCsv,
    kind: 'pdf' | 'xlsx' | 'csv',
  ) => void download(row, { params, query: { ...reportQuery, language } }, `${title}.${kind}`).catch(toast.error)
  // What the reader changes of the table is part of the address, so that a link and a saved report have it too.
  const change = (part: Partial<ReportDefinition>) =>
    void go(
      { to: '/transactions/reports/result', search: searchOfReport({ ...report, ...part }, id) },
      { replace: true, resetScroll: false },
    )
  const error = answer.error ?? missing
  const hasNoData = error instanceof ApiError && error.code === 'ReportWithoutData'
  return (
    <>
      <ScreenHeader
        title={title}
        subtitle={periodName([reportQuery.startDate, reportQuery.endDate])}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden />}
              onClick={() => void go({ to: '/transactions/reports', search: searchOfReport(report) })}
            >
              {t('edit')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconFileTypePdf size={15} aria-hidden />}
              disabled={!answer.data}
              onClick={() => save(reports.getReportPdf, 'pdf')}
            >
              {t('pdf')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconTable size={15} aria-hidden />}
              disabled={!answer.data}
              onClick={() => save(reports.getReportXlsx, 'xlsx')}
            >
              {t('xlsx')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconFileTypeCsv size={15} aria-hidden />}
              disabled={!answer.data}
              onClick={() => save(reports.getReportCsv, 'csv')}
            >
              {t('csv')}
            </Button>
            {!isAll && (
              <Button leftSection={<IconDeviceFloppy size={15} aria-hidden />} onClick={() => setSaving(true)}>
                {t('save')}
              </Button>
            )}
          </>
        }
      />
      {hasNoData ? (
        <Panel className="clips">
          <EmptyState title={t('noData.title')} text={t('noData.text')} />
        </Panel>
      ) : error && !answer.data ? (
        <ErrorState error={error} retry={answer.refetch} />
      ) : answer.data ? (
        <div className={classes.screen} data-stale={answer.isPlaceholderData}>
          <ReportResult
            report={answer.data}
            definition={report}
            reportQuery={reportQuery}
            names={names}
            change={change}
          />
        </div>
      ) : (
        <Box h={420} bdrs="lg" bg="var(--sunken)" aria-busy />
      )}
      {isSaving && (
        <SaveReportDialog
          definition={report}
          saved={saved}
          close={() => setSaving(false)}
          done={(next) => {
            setSaving(false)
            void go({ to: '/transactions/reports/result', search: searchOfReport(report, next.id) }, { replace: true })
          }}
        />
      )}
    </>
  )
}

/** The totals that fit on cards. */
const mostCards = 5

interface ResultProps {
  report: Report
  definition: ReportDefinition
  reportQuery: AskedReport
  names: ReportNames
  change: (part: Partial<ReportDefinition>) => void
}

function ReportResult({ report, definition, reportQuery, names, change }: ResultProps) {
  const { t } = useTranslation('report')
  const format = useFormat()
  const comparedWith = useComparedWith()
  const several = report.totals.length > 1
  const value = report.costed.reduce((sum, one) => sum + one.value, 0)
  const of = report.costed.reduce((sum, one) => sum + one.of, 0)
  const notes = [
    ...(report.compare ? [comparedWith(report.compare, report.compared)] : []),
    ...(report.compared.length > 0 && !definition.ord && !report.pivot ? [t('differencesFirst')] : []),
    ...(report.isRunning ? [t('running')] : []),
    ...(report.figures.includes('margin') ? [t('marginNote', { share: format.percent(of > 0 ? value / of : 0) })] : []),
    ...(report.type === 'visits' && report.figures.includes('visitCost')
      ? [t('visitsNote', sharesOf(report.known, format.percent))]
      : []),
    ...(report.figures.includes('profit') ? [t('profitNote', sharesOf(report.known, format.percent))] : []),
    ...(report.type === 'availability' ? [t('availabilityNote')] : []),
    ...(report.type === 'pieces'
      ? [t('piecesNote', sharesOf(report.known, format.percent))]
      : [t(sourceOf(report.type) === 'sales' ? `termsNote.${report.terms}` : `placesNote.${report.terms}`)]),
    ...(report.type === 'transactions' ? [t('otherNote')] : []),
    ...(report.figures.includes('lostPerDay') ? [t('lostNote')] : []),
  ]
  return (
    <>
      {report.totals.map((total) => (
        <StatCards key={total.currency}>
          {report.figures.slice(0, mostCards).map((figure, at) => {
            const now = total.values[at]
            const before = total.before?.[at]
            return (
              <StatCard
                key={figure}
                label={several ? `${names.figure(figure)}, ${total.currency}` : names.figure(figure)}
                value={names.value(figure, now, total.currency)}
                note={
                  typeof now === 'number' && typeof before === 'number' ? (
                    <Change
                      value={now}
                      before={before}
                      isShare={reportFigures[figure] === 'percent'}
                      isLessBetter={lessIsBetter.includes(figure)}
                    />
                  ) : undefined
                }
                {...placed(several || !now ? undefined : placeOfFigure(report, reportQuery, figure, undefined))}
              />
            )
          })}
        </StatCards>
      ))}
      {notes.length > 0 && (
        <Stack component="ul" gap="hair" maw="110ch" className={classes.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </Stack>
      )}
      {report.totals.map(({ currency }) => (
        <ReportChart key={currency} report={report} currency={currency} names={names} />
      ))}
      <Panel className="clips">
        <TableChoices report={report} chosen={definition} names={names} change={change} />
        {report.pivot ? (
          <PivotTable
            report={report}
            pivot={report.pivot}
            reportQuery={reportQuery}
            names={names}
            order={definition}
            sort={change}
          />
        ) : (
          <ReportTable report={report} reportQuery={reportQuery} names={names} order={definition} sort={change} />
        )}
      </Panel>
      {(report.figures.includes('refunded') || report.type === 'refunds' || report.type === 'transactions') && (
        <RefundFigures reportQuery={reportQuery} />
      )}
    </>
  )
}

const placed = (place: ReturnType<typeof placeOfFigure>) => (place ? { place } : {})
