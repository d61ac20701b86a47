import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Report, ReportRow } from '#contract/insight/report.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { productTypes } from '#contract/vocabulary/catalogue/product.ts'
import { type ReportDimension, type ReportFigure, reportFigures } from '#contract/vocabulary/insight/report.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'

const severities = Object.fromEntries(Object.entries(alarmCriticities).map(([name, code]) => [String(code), name]))

/** Names of groupings, keys and figures in the reader's language. */
export function useReportNames(parameter: string | null) {
  const { t } = useTranslation(['report', 'vocabulary'])
  const format = useFormat()
  const codes = useCodeNames()
  const alarmName = useAlarmName()
  return useMemo(() => {
    const keyName = (dimension: ReportDimension, key: string | null, label: string | null, currency: Currency) => {
      if (key === null) return t(`report:none.${dimension}`)
      switch (dimension) {
        case 'productType':
          return t(`vocabulary:productType.${productTypes[key as keyof typeof productTypes] ?? key}`)
        case 'priceTable':
          return codes.priceTable(Number(key))
        case 'media':
          return codes.mediaType(Number(key))
        case 'transactionType':
          return codes.type(Number(key))
        case 'hour':
          return `${key.padStart(2, '0')}:00`
        case 'alarm':
          return alarmName(key)
        case 'severity':
          return t(`vocabulary:alarmCriticity.${severities[key] ?? key}`)
        case 'denomination':
          return format.money(Number(key), currency)
        case 'refundKind':
          return t(`vocabulary:refundKind.${key}`)
        case 'refundState':
          return t(`vocabulary:refundState.${key}`)
        case 'month':
          return format.day(`${key.slice(0, 4)}-${key.slice(4)}-15`, 'month')
        case 'group':
          return label ?? t('report:none.otherGroup')
        case 'route':
          return label ?? t('report:none.deletedRoute')
        case 'stockPlace':
          return label ?? t('report:none.deletedPlace')
        case 'stockProduct':
          return label ?? t('report:none.product')
        default:
          return label ?? key
      }
    }
    return {
      dimension: (dimension: ReportDimension): string =>
        dimension === 'parameter' && parameter ? parameter : t(`report:by.${dimension}`),
      keys: (by: Report['by'], { keys, labels, currency }: Pick<ReportRow, 'keys' | 'labels' | 'currency'>) =>
        by.map((dimension, at) => keyName(dimension, keys[at] ?? null, labels[at] ?? null, currency)),
      figure: (figure: ReportFigure): string => t(`report:figure.${figure}`),
      value: (figure: ReportFigure, value: number | null | undefined, currency: Currency): string => {
        if (value === null || value === undefined) return '–'
        if (reportFigures[figure] === 'money') return format.money(value, currency)
        return reportFigures[figure] === 'percent'
          ? format.percent(value, 1)
          : format.number(value, { maximumFractionDigits: 1 })
      },
    }
  }, [t, format, codes, alarmName, parameter])
}
export type ReportNames = ReturnType<typeof useReportNames>
