import type { RefundSums, RefundsQuery } from '#contract/insight/report.ts'
import { type RefundFigure, typeOfRefunds } from '#contract/vocabulary/insight/report.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { refundsByGrouping } from '#database/insight/report-events.ts'
import { salesByGrouping } from '#database/insight/report-sales.ts'
import { merchantsWith } from '#database/merchants/merchant.ts'

/** More than there are merchants in a scope times types of transactions. */
const limit = 1_000_000

/** What the figures of refunds of a period count, as reports and lists have them; figures of zero are left out. */
export async function refundFiguresOf(db: TenantDb, query: RefundsQuery): Promise<RefundSums[]> {
  const order = { ...query, parameter: undefined, withCost: false, withCommission: false, isTurnover: false }
  const byType = await salesByGrouping(db, { ...order, by: ['transactionType'] }, limit)
  const able = (await merchantsWith(db, ['customerMedia'])).get('customerMedia')
  const scope = db.scope.filter(({ merchantId }) => able?.has(merchantId))
  const refunds =
    scope.length > 0 ? await refundsByGrouping(withinScope(db, scope), { ...order, by: ['refundKind'] }, limit) : []
  const types = Object.entries(typeOfRefunds) as [keyof typeof typeOfRefunds, number][]
  const parts = [
    ...byType.map((row) => ['ofSales', row, row.sums.refundCount, row.sums.refunded] as const),
    ...refunds.map((row) => ['given', row, row.sums.refunds, row.sums.given] as const),
    ...types.flatMap(([figure, type]) =>
      byType
        .filter(({ keys }) => keys[0] === String(type))
        .map((row) => [figure, row, row.sums.otherCount, row.sums.otherValue] as const),
    ),
  ]
  const sums = new Map<string, RefundSums>()
  for (const [figure, { currency }, count = 0, amount = 0] of parts) {
    const key = `${figure} ${currency}`
    const before = sums.get(key) ?? { figure: figure as RefundFigure, currency, count: 0, amount: 0 }
    sums.set(key, { ...before, count: before.count + count, amount: before.amount + Math.abs(amount) })
  }
  return [...sums.values()].filter(({ count }) => count > 0)
}
