import type { RefundFigure } from '#contract/vocabulary/insight/report.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import type { Identity } from '../identity.ts'

/** A sale's or refund's local day of the merchant $1 in the zone $2 is within $3 and $4. */
const within = (column: string) => `(${column} at time zone $2)::date between $3 and $4`
const ofType = (type: number) =>
  `select t.value as amount from transactions t where t.merchant_id = $1 and t.type = ${type} and ${within('t.created_at')}`

/** What each figure counts, as docs/areas/reports.md says it. */
const definitions: Record<RefundFigure, string> = {
  ofSales: `select r.amount from refunds r join transactions t on t.merchant_id = r.merchant_id and t.id = r.transaction_id
    where r.merchant_id = $1 and t.type in (1, 2, 14, 15) and ${within('t.created_at')}`,
  given: `select r.amount from refunds r where r.merchant_id = $1 and ${within('r.created_at')}`,
  machineRefunds: ofType(6),
  reversals: ofType(16),
  cashOut: ofType(8),
}
const figures = Object.keys(definitions) as RefundFigure[]

/** The five figures that a user may take for "the refunds" of a period: they differ, and each has its own definition. */
export const figuresOfRefunds: Identity = {
  title: 'each figure of refunds of a period is that of its own definition, and of the list behind it',
  async check(day) {
    const admin = await day.as('superAdmin')
    const broken: object[] = []
    let checked = 0
    for (const merchantId of day.merchantIds) {
      const params = { merchantId }
      const { timeZone } = await admin.getMerchant({ params })
      const today = dayIn(day.to, timeZone)
      for (const days of [0, 6, 29]) {
        const period = { startDate: addDays(today, -days), endDate: today }
        const stated = await admin.getRefundFigures({ params, query: period as never })
        for (const figure of figures) {
          const [defined] = await day.sql<{ count: number; amount: string }>(
            `select count(*)::int as count, coalesce(sum(abs(amount)), 0) as amount from (${definitions[figure]}) defined`,
            [merchantId, timeZone, period.startDate, period.endDate],
          )
          const { count = 0, amount = 0 } = stated.find((one) => one.figure === figure) ?? {}
          checked++
          if (count !== defined?.count || amount !== Number(defined.amount))
            broken.push({ merchantId, figure, ...period, count, amount, defined })
        }
      }
    }
    return { checked, broken }
  },
}
