import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { comparisons } from '#contract/frame/comparison.ts'
import { mostReportDays, type ReportDefinition, reports } from '#contract/insight/report.ts'
import { saleTerms } from '#contract/sales/terms.ts'
import {
  dimensionsOf,
  productDimensions,
  type ReportDimension,
  type ReportType,
  reportTypes,
  sourceOf,
} from '#contract/vocabulary/insight/report.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { FilterBar } from '#portal/ui/list/filters/FilterBar.tsx'
import { anyKnown } from '#portal/ui/list/filters/filters.ts'
import { useMachineFilter } from '#portal/ui/list/filters/useMachineFilter.ts'
import { PeriodChoice } from '#portal/ui/time/PeriodChoice.tsx'
import type { PeriodValue } from '#portal/ui/time/PeriodPanel.tsx'
import classes from './Report.module.css'
import { groupingIn } from './reportSearch.ts'

interface Props {
  value: ReportDefinition
  set: (value: ReportDefinition) => void
}

const limits = { minDays: 1, maxDays: mostReportDays }
/** Another grouping has other columns: no pivot, and the order of the report. */
const withoutTable = { pivot: null, ord: null, ordKey: null } satisfies Partial<ReportDefinition>
const filterKeys = ['groupIds', 'clientIds', 'posIds'] as const

/** What a report shows: its type, grouping, period, comparison and filters. */
export function ReportForm({ value, set }: Props) {
  const { t } = useTranslation(['report', 'list'])
  const { id: merchantId, isAll } = useMerchant()
  const hasVending = useFeature('vending')
  const hasMedia = useFeature('customerMedia')
  const hasStock = useFeature('productStock')
  const hasWarehouse = useFeature('warehouse')
  const { data: parameters } = useQuery({
    ...queryOf(reports.listReportParameters, { params: { merchantId } }),
    enabled: hasVending,
  })
  const [first, second] = groupingIn(value)
  const isOfSales = sourceOf(value.type) === 'sales'
  const isOfMachines = dimensionsOf(value.type).includes('machine')
  const types = reportTypes.filter(
    (one) =>
      (hasMedia || one !== 'refunds') &&
      (hasStock || (one !== 'visits' && one !== 'availability')) &&
      (hasWarehouse || one !== 'pieces') &&
      (hasVending || (one !== 'products' && one !== 'priceTables')),
  )
  const able = dimensionsOf(value.type).filter(
    (one) => (hasVending || !productDimensions.includes(one)) && (one !== 'parameter' || (parameters?.length ?? 0) > 0),
  )
  const names = (list: readonly ReportDimension[]) => list.map((one) => ({ value: one, label: t(`report:by.${one}`) }))
  const change = (part: Partial<ReportDefinition>) => {
    const next = { ...value, ...part }
    if (next.by.includes('parameter') && !next.parameter) next.parameter = parameters?.[0] ?? null
    set(next)
  }
  const group = (one: string, other: string) =>
    change({
      by: [one, other].filter((each, at, all) => each !== '' && all.indexOf(each) === at) as ReportDimension[],
      ...withoutTable,
    })
  const period: PeriodValue = value.preset ? [value.preset] : [value.startDate ?? '', value.endDate ?? '']
  return (
    <div className={classes.form}>
      <SimpleGrid minColWidth={200} spacing="md" verticalSpacing="part" style={{ alignItems: 'start' }}>
        <NativeSelect
          label={t('report:field.type')}
          data={types.map((one) => ({ value: one, label: t(`report:type.${one}`) }))}
          value={value.type}
          onChange={(event) =>
            change({ type: event.currentTarget.value as ReportType, by: [], figures: [], ...withoutTable })
          }
        />
        <NativeSelect
          label={t('report:field.by')}
          data={names(able)}
          value={first ?? ''}
          onChange={(event) => group(event.currentTarget.value, second ?? '')}
        />
        <NativeSelect
          label={t('report:field.then')}
          data={[{ value: '', label: t('report:noThen') }, ...names(able.filter((one) => one !== first))]}
          value={second ?? ''}
          onChange={(event) => group(first ?? '', event.currentTarget.value)}
        />
        {[first, second].includes('parameter') && (
          <NativeSelect
            label={t('report:field.parameter')}
            data={[...new Set([...(parameters ?? []), ...(value.parameter ? [value.parameter] : [])])]}
            value={value.parameter ?? ''}
            onChange={(event) => change({ parameter: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t('report:field.compare')}
          data={[
            { value: '', label: t('list:compare.none') },
            ...comparisons.map((one) => ({ value: one, label: t(`list:compare.${one}`) })),
          ]}
          value={value.compare ?? ''}
          onChange={(event) =>
            change({ compare: comparisons.find((one) => one === event.currentTarget.value) ?? null })
          }
        />
        {isOfMachines && (
          <NativeSelect
            label={t(isOfSales ? 'report:field.terms' : 'report:field.places')}
            data={saleTerms.map((one) => ({
              value: one,
              label: t(isOfSales ? `report:terms.${one}` : `report:places.${one}`),
            }))}
            value={value.terms}
            onChange={(event) =>
              change({ terms: saleTerms.find((one) => one === event.currentTarget.value) ?? 'ofDay' })
            }
          />
        )}
        <Stack gap="tight" align="flex-start">
          <Text span fz="sm" fw={500}>
            {t('report:field.period')}
          </Text>
          <PeriodChoice
            value={period}
            limits={limits}
            choose={([start, end]) =>
              change(
                end === undefined
                  ? { preset: start as ReportDefinition['preset'], startDate: null, endDate: null }
                  : { preset: null, startDate: start ?? null, endDate: end },
              )
            }
          />
        </Stack>
      </SimpleGrid>
      {!isAll && isOfMachines && <ReportFilters value={value} change={change} />}
    </div>
  )
}

/** Groups, clients and machines that the report is limited to. */
function ReportFilters({
  value,
  change,
}: {
  value: ReportDefinition
  change: (part: Partial<ReportDefinition>) => void
}) {
  const { t } = useTranslation('report')
  const groups = useGroupOptions()
  const machine = useMachineFilter(t('field.machines'))
  const client = useClientFilter('clientIds')
  const filters = useGroupSearch(
    useMemo(
      () => [
        ...anyKnown('groupIds', t('field.groups'), groups),
        ...(client.options?.length !== 0 ? [client] : []),
        machine,
      ],
      [t, groups, machine, client],
    ),
  )
  const values = Object.fromEntries(filterKeys.map((key) => [key, value[key]]).filter(([, ids]) => ids?.length))
  return (
    <FilterBar
      filters={filters}
      values={values as Record<string, string[]>}
      set={(key, ids) => change({ [key]: ids })}
      clear={() => change({ groupIds: [], clientIds: [], posIds: [] })}
    />
  )
}
