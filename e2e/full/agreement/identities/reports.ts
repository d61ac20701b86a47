import type { Report } from '#contract/insight/report.ts'
import { type ReportFigure, reportSources } from '#contract/vocabulary/insight/report.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import type { Identity } from '../identity.ts'

const totalOf = (report: Report, figure: ReportFigure) =>
  report.totals[0]?.values[report.figures.indexOf(figure)] ?? null

/** The figures of a report's total that every grouping must have alike; margins are known by grouping except by hour. */
const figures = ['value', 'count', 'vends', 'errorCount', 'refunded', 'commission', 'cost', 'margin'] as const

/** Every grouping of a report adds up to the same total: that of the statistics and of the single transactions. */
export const reportTotals: Identity = {
  title: 'every report’s total is that of the statistics and of the transactions of the same days',
  async check(day) {
    const admin = await day.as('superAdmin')
    const broken: object[] = []
    let checked = 0
    for (const merchantId of day.merchantIds) {
      const params = { merchantId }
      const { timeZone } = await admin.getMerchant({ params })
      const today = dayIn(day.to, timeZone)
      const period = { startDate: addDays(today, -20), endDate: today }
      const [sold] = await day.sql<{ value: string; count: number; failed: number }>(
        `select coalesce(sum(t.value) filter (where not t.error_sale), 0) as value, count(*)::int as count,
           (count(*) filter (where t.error_sale))::int as failed
         from transactions t where t.merchant_id = $1 and t.type in (1, 2, 14, 15)
           and (t.created_at at time zone $2)::date between $3 and $4`,
        [merchantId, timeZone, period.startDate, period.endDate],
      )
      if (!sold || sold.count === 0) continue
      const stated = { value: Number(sold.value), count: sold.count, errorCount: sold.failed }
      const { totals } = await admin.statsOfPeriod({
        params,
        query: { ...period, types: ['1', '2', '14', '15'] } as never,
      })
      const { value, count, errorCount } = totals[0] ?? { value: 0, count: 0, errorCount: 0 }
      checked++
      if (JSON.stringify({ value, count, errorCount }) !== JSON.stringify(stated))
        broken.push({ merchantId, statistics: totals[0], stated })
      let first: Record<string, number | null> | undefined
      for (const by of reportSources.sales) {
        if (by === 'parameter') continue
        for (const type of by === 'transactionType' ? (['transactions'] as const) : (['products'] as const)) {
          const report = await admin.getReport({ params, query: { ...period, type, by: [by] } as never })
          const own = Object.fromEntries(figures.map((figure) => [figure, totalOf(report, figure)]))
          checked++
          if (own.value !== stated.value || own.count !== stated.count || (own.errorCount ?? 0) !== stated.errorCount)
            broken.push({ merchantId, by, own, stated })
          first ??= own
          // Hours alone are summed without machines and products.
          const compared = by === 'hour' ? figures.slice(0, 5) : figures
          for (const figure of compared)
            if (own[figure] !== first[figure])
              broken.push({ merchantId, by, figure, is: own[figure], of: first[figure] })
        }
      }
    }
    return { checked, broken }
  },
}

/** The same 30 days have the same rejection rate wherever they are shown. */
export const rejectionRates: Identity = {
  title: 'a machine has the same rejected pieces of 30 days in its KPIs, its cash and the merchant’s KPIs',
  async check(day) {
    const admin = await day.as('superAdmin')
    const broken: object[] = []
    let checked = 0
    for (const merchantId of day.merchantIds) {
      const { items } = await admin.listPosKpis({ params: { merchantId }, query: { size: 10 } as never })
      for (const { posId, accepted, rejected } of items) {
        const params = { merchantId, posId }
        const { cashAcceptance } = await admin.getMachineKpis({ params, query: {} })
        const { acceptance } = await admin.getMachineCash({ params, query: {} })
        const sum = (key: 'accepted' | 'rejected') =>
          acceptance.denominations.reduce((total, row) => total + row[key], 0)
        checked++
        const all = [
          [accepted, rejected],
          [cashAcceptance.accepted, cashAcceptance.rejected],
          [sum('accepted'), sum('rejected')],
        ]
        if (new Set(all.map(String)).size > 1) broken.push({ merchantId, posId, all })
      }
    }
    return { checked, broken }
  },
}
