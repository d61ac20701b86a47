import { useMemo } from 'react'
import { comparisons } from '#contract/frame/comparison.ts'
import { periodPresets } from '#contract/frame/period.ts'
import type { ReportDefinition, SavedReport } from '#contract/insight/report.ts'
import { saleTerms } from '#contract/sales/terms.ts'
import {
  dimensionsOf,
  figuresOf,
  ownDimension,
  type ReportDimension,
  type ReportFigure,
  reportOrds,
  reportTypes,
  sourceOf,
} from '#contract/vocabulary/insight/report.ts'
import { dayIn, periodOn } from '#domain/time/period.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { manyOf, oneOf, type Search } from '#portal/app/search.ts'
import { useNow } from '#portal/ui/time/When.tsx'
import { periodIn } from '../../../ui/time/periodIn.ts'

const filters = ['groupIds', 'clientIds', 'posIds'] as const
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const idsIn = (search: Search, name: (typeof filters)[number]) => manyOf(search, name).filter((id) => uuid.test(id))

/** The report that an address asks for; unknown parts are left out. */
export function definitionIn(search: Search): ReportDefinition {
  const type = reportTypes.find((one) => one === oneOf(search, 'type')) ?? 'products'
  const able = dimensionsOf(type)
  const by = [...new Set(manyOf(search, 'by'))].filter((one): one is ReportDimension =>
    (able as readonly string[]).includes(one),
  )
  const parameter = oneOf(search, 'parameter') ?? null
  const [first, last] = periodIn(search)
  const figures: readonly ReportFigure[] = figuresOf[sourceOf(type)]
  const grouping = by.filter((one) => one !== 'parameter' || parameter).slice(0, 2)
  const preset = last === undefined ? (periodPresets.find((one) => one === first) ?? 'last7Days') : null
  return {
    type,
    by: grouping,
    parameter,
    compare: comparisons.find((one) => one === oneOf(search, 'compare')) ?? null,
    preset,
    startDate: preset === null ? (first ?? null) : null,
    endDate: preset === null ? (last ?? null) : null,
    groupIds: idsIn(search, 'groupIds'),
    clientIds: idsIn(search, 'clientIds'),
    posIds: idsIn(search, 'posIds'),
    terms: saleTerms.find((one) => one === oneOf(search, 'terms')) ?? 'ofDay',
    figures: figures.filter((one) => manyOf(search, 'figures').includes(one)),
    pivot: (grouping.length === 2 && figures.find((one) => one === oneOf(search, 'pivot'))) || null,
    ord: reportOrds.find((one) => one === oneOf(search, 'ord')) ?? null,
    ordType: oneOf(search, 'ordType') === 'ASC' ? 'ASC' : 'DESC',
    ordKey: oneOf(search, 'ordKey')?.slice(0, 200) ?? null,
  }
}

/** The address of a report's result. */
export const searchOfReport = (
  report: ReportDefinition,
  id?: string,
): Record<string, string | string[] | undefined> => ({
  report: id,
  type: report.type,
  by: report.by.length > 0 ? report.by : undefined,
  parameter: report.by.includes('parameter') ? (report.parameter ?? undefined) : undefined,
  compare: report.compare ?? undefined,
  period: report.preset ?? undefined,
  startDate: report.preset ? undefined : (report.startDate ?? undefined),
  endDate: report.preset ? undefined : (report.endDate ?? undefined),
  terms: report.terms === 'today' ? report.terms : undefined,
  figures: report.figures.length > 0 ? report.figures : undefined,
  pivot: report.pivot ?? undefined,
  ord: report.ord ?? undefined,
  ordType: report.ord && report.ordType === 'ASC' ? 'ASC' : undefined,
  ordKey: report.ord && report.pivot ? (report.ordKey ?? undefined) : undefined,
  ...Object.fromEntries(filters.map((name) => [name, report[name].length > 0 ? report[name] : undefined])),
})

/** The definition of a saved report. */
export const definitionOf = (saved: SavedReport): ReportDefinition => ({
  type: saved.type,
  by: saved.by,
  parameter: saved.parameter,
  compare: saved.compare,
  preset: saved.preset,
  startDate: saved.startDate,
  endDate: saved.endDate,
  groupIds: saved.groupIds,
  clientIds: saved.clientIds,
  posIds: saved.posIds,
  terms: saved.terms,
  figures: saved.figures,
  pivot: saved.pivot,
  ord: saved.ord,
  ordType: saved.ordType,
  ordKey: saved.ordKey,
})

/** The groupings of a report: the chosen ones, or the type's own. */
export const groupingIn = ({ type, by }: Pick<ReportDefinition, 'type' | 'by'>): readonly ReportDimension[] =>
  by.length > 0 ? by : [ownDimension(type)]

/** The query of a report's calls; a preset's days are those of today in the merchant's zone. */
export function useReportQuery(report: ReportDefinition) {
  const { timeZone } = useMerchant()
  const today = dayIn(useNow(), timeZone)
  return useMemo(() => {
    const { preset, startDate, endDate, parameter, compare, by, pivot, ord, ordType, ordKey, ...same } = report
    const days = preset ? periodOn(preset, today) : { startDate: startDate ?? today, endDate: endDate ?? today }
    return {
      ...same,
      ...days,
      by: [...by],
      ...(preset && { preset }),
      ...(parameter && by.includes('parameter') && { parameter }),
      ...(compare && { compare }),
      ...(pivot && { pivot }),
      ...(ord && { ord, ordType }),
      ...(ord && pivot && ordKey !== null && { ordKey }),
    }
  }, [report, today])
}
export type AskedReport = ReturnType<typeof useReportQuery>
