import { PlannedPrice, PricePlan, type pricePlans } from '#contract/catalogue/price-plan.ts'
import { ProductError } from '#contract/errors.ts'
import {
  endPlanned,
  findPricePlan,
  listPlannedPrices,
  listPricePlans,
  markCancelled,
  openMachinesOf,
} from '#database/catalogue/price-plan.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { recordChange } from '#database/platform/change-log.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findPricePlan>>>

async function presentPlans(call: TenantCall, rows: readonly Row[]): Promise<PricePlan[]> {
  const created = await withShownNames(call, rows, 'created_by', 'created_by_name')
  const named = await withShownNames(call, created, 'cancelled_by', 'cancelled_by_name')
  return named.map((row) =>
    wireOf(PricePlan, row, { createdBy: row.created_by_name, cancelledBy: row.cancelled_by_name }),
  )
}

export const pricePlanHandlers: Handlers<typeof pricePlans> = {
  listPricePlans: async (call) => {
    refuseReversed(call.query)
    const { rows, ...counted } = await listPricePlans(call.db, call.query)
    return { ...counted, items: await presentPlans(call, rows) }
  },

  getPricePlan: async (call) => {
    const row = await findPricePlan(call.db, call.params.pricePlanId)
    const [plan] = row ? await presentPlans(call, [row]) : []
    if (!plan) throw new ProductError('PricePlanNotFound')
    return plan
  },

  cancelPricePlan: async ({ db, params, user, now, live }) => {
    const plan = await findPricePlan(db, params.pricePlanId)
    if (!plan) throw new ProductError('PricePlanNotFound')
    // A worker that starts the prices holds the same locks.
    await lockJournals(db, await openMachinesOf(db, plan.id))
    const cancelled = await endPlanned(db, { planId: plan.id }, 'cancelled')
    if (cancelled.length === 0) throw new ProductError('PricePlanEnded')
    const machines = [...new Set(cancelled.map(({ machine_id }) => machine_id))]
    await markCancelled(db, plan.merchant_id, [plan.id], { at: now, user })
    await recordChange(db, {
      merchantId: plan.merchant_id,
      at: now,
      user,
      action: 'pricePlan.cancel',
      subjectType: 'pricePlan',
      subjectId: plan.id,
      before: { name: plan.name, startsOn: plan.starts_on, prices: cancelled.length, machines: machines.length },
    })
    db.afterCommit(() => {
      for (const machineId of machines) live.announce(plan.merchant_id, 'price', machineId)
    })
    return { cancelled: cancelled.length, machines: machines.length }
  },

  listPlannedPrices: async ({ db, query }) => {
    const { rows, ...counted } = await listPlannedPrices(db, query)
    const items = rows.map((row) =>
      wireOf(PlannedPrice, row, {
        id: `${row.plan_id} ${row.machine_id} ${row.price_table} ${row.selection}`,
        pricePlanId: row.plan_id,
        posId: row.machine_id,
        posName: row.machine_name,
      }),
    )
    return { ...counted, items }
  },
}
