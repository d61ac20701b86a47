import type { wrongPrices } from '#contract/catalogue/wrong-price.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { listWrongPrices } from '#database/catalogue/wrong-price/wrong-price.ts'
import { closeWrongPrices } from '#database/catalogue/wrong-price/wrong-price-closing.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { machineKeys } from '#database/machines/machine-acts.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import type { Handlers } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'

export const wrongPriceHandlers: Handlers<typeof wrongPrices> = {
  listWrongPrices: async (call) => {
    const { db, query } = call
    const { rows, ...counted } = await listWrongPrices(db, query, query)
    const shown = await withShownNames(call, rows, 'closed_by', 'closed_by_name')
    const items = shown.map((row) => ({
      id: row.id ?? `${row.machine_id} ${row.price_table} ${row.selection}`,
      status: row.status,
      merchantId: row.merchant_id,
      merchantName: row.merchant_name,
      timeZone: row.time_zone,
      currency: row.currency as Currency,
      posId: row.machine_id,
      posName: row.machine_name,
      posSerial: row.serial,
      selection: row.selection,
      product: row.product,
      productId: row.product_id,
      priceTable: row.price_table,
      wanted: row.wanted,
      actual: row.actual,
      fault: row.fault,
      since: toWire(row.since),
      sales: row.sales,
      lost: row.lost,
      closedAt: toWireOrNull(row.closed_at),
      closedBy: row.closed_by_name,
      note: row.note,
    }))
    return { ...counted, items }
  },

  closeWrongPrices: async ({ db, body, user, now, live }) => {
    const ids = [...new Set(body.prices.map(({ posId }) => posId))]
    const locked = await lockJournals(db, await machineKeys(db, ids))
    if (ids.some((id) => !locked.has(id))) throw new ProductError('MachineNotFound')
    const losses = body.prices.map(({ posId, ...loss }) => ({ ...loss, machineId: posId }))
    const closed = await closeWrongPrices(db, losses, { at: now, user, note: body.note })
    const byMachine = [...Map.groupBy(closed, ({ machineId }) => machineId)]
    await recordChanges(
      db,
      byMachine.map(([machineId, own]) => ({
        merchantId: (own[0] as (typeof own)[number]).merchantId,
        at: now,
        user,
        action: 'price.closeLoss',
        subjectType: 'price',
        subjectId: machineId,
        before: {
          losses: own.map(({ selection, priceTable, sales, lost }) => ({ selection, priceTable, sales, lost })),
        },
        after: { note: body.note },
      })),
    )
    db.afterCommit(() => {
      for (const [machineId, [first]] of byMachine) if (first) live.announce(first.merchantId, 'price', machineId)
    })
    return { closed: closed.length, changed: body.prices.length - closed.length }
  },
}
