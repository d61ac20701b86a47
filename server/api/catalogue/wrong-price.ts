import { WrongPrice, type wrongPrices } from '#contract/catalogue/wrong-price.ts'
import { ProductError } from '#contract/errors.ts'
import { listWrongPrices } from '#database/catalogue/wrong-price/wrong-price.ts'
import { closeWrongPrices } from '#database/catalogue/wrong-price/wrong-price-closing.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { machineKeys } from '#database/machines/machine-acts.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import type { Handlers } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { wireOf } from '#server/http/wire.ts'

export const wrongPriceHandlers: Handlers<typeof wrongPrices> = {
  listWrongPrices: async (call) => {
    const { db, query } = call
    const { rows, ...counted } = await listWrongPrices(db, query)
    const named = await withShownNames(call, rows, 'closed_by', 'closed_by_name')
    const items = named.map((row) =>
      wireOf(WrongPrice, row, {
        id: row.id ?? `${row.machine_id} ${row.price_table} ${row.selection}`,
        closedBy: row.closed_by_name,
      }),
    )
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
      byMachine.map(([machineId, prices]) => ({
        merchantId: (prices[0] as (typeof prices)[number]).merchantId,
        at: now,
        user,
        action: 'price.closeLoss',
        subjectType: 'price',
        subjectId: machineId,
        before: {
          losses: prices.map(({ selection, priceTable, sales, lost }) => ({ selection, priceTable, sales, lost })),
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
