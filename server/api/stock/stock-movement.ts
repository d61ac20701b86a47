import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import type { StockEdit, stockMovements } from '#contract/stock/stock-movement.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { heldBefore } from '#database/stock/held.ts'
import { bookMovements, type UserMovement } from '#database/stock/movement.ts'
import { listMovements } from '#database/stock/movement-list.ts'
import { stockOf } from '#database/stock/stock.ts'
import { excessOf } from '#domain/stock/bounds.ts'
import type { Handlers } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { machineOf, refuseReversed } from '#server/http/refuse.ts'

/** An edit as the bounds of a selection take it. */
const handlingOf = ({ count, waste = 0, refill = 0 }: StockEdit) => ({ counted: count ?? null, waste, loaded: refill })

/** Of a selection without books. */
const unknownHeld = { level: null, capacity: null }

const kinds = [
  ['count', 'correction'],
  ['waste', 'waste'],
  ['refill', 'refill'],
] as const

export const stockMovementHandlers: Handlers<typeof stockMovements> = {
  bookStock: async ({ db, params, body, user, now, live }) => {
    const { merchant_id: merchantId, id: machineId } = await machineOf(db, params.posId)
    const journal = (await lockJournals(db, [{ merchantId, id: machineId }])).get(machineId)
    if (!journal) throw new ProductError('MachineNotFound')
    if (!journal.managesStock) throw new ProductError('StockNotManaged')
    const rows = new Map((await stockOf(db, machineId)).map((row) => [row.selection, row]))
    const levelOf = ({ selection }: StockEdit) => rows.get(selection)?.level ?? 0
    // What was added or taken away holds whatever was sold meanwhile; a count does not.
    const isOvertaken = (edit: StockEdit) =>
      edit.count !== undefined && edit.before !== levelOf(edit) && edit.count !== levelOf(edit)
    const held = await heldBefore(db, machineId, now)
    const conflicts = body.edits.filter(isOvertaken)
    const refused = new Map(
      body.edits.flatMap((edit) => {
        const excess = isOvertaken(edit) ? null : excessOf(held.get(edit.selection) ?? unknownHeld, handlingOf(edit))
        return excess ? [[edit.selection, excess.field === 'waste' ? 'aboveLevel' : 'aboveCapacity'] as const] : []
      }),
    )
    const edits = body.edits.filter((edit) => !isOvertaken(edit) && !refused.has(edit.selection))
    const movements = edits.flatMap((edit) =>
      kinds.flatMap(([field, kind]): UserMovement[] => {
        const amount = edit[field]
        if (amount === undefined) return []
        return [{ merchantId, machineId, selection: edit.selection, at: now, kind, amount, user }]
      }),
    )
    const { unknown, moved, alarmed } = await bookMovements(db, movements, now)
    const lacking = new Set(unknown.map(({ selection }) => selection))
    const booked = edits.filter(({ selection }) => !lacking.has(selection))
    if (moved.length > 0) {
      await recordChange(db, {
        merchantId,
        at: now,
        user,
        action: 'machine.bookStock',
        subjectType: 'machine',
        subjectId: machineId,
        before: { stock: booked.map((edit) => ({ selection: edit.selection, level: levelOf(edit) })) },
        after: { stock: booked.map(({ before: _, ...edit }) => edit) },
      })
      db.afterCommit(() => {
        live.announce(merchantId, 'stock', machineId)
        if (alarmed.length > 0) live.announce(merchantId, 'alarm', machineId)
      })
    }
    const after = new Map((await stockOf(db, machineId)).map(({ selection, level }) => [selection, level]))
    return {
      booked: booked.length,
      levels: booked.map(({ selection }) => ({ selection, level: after.get(selection) ?? 0 })),
      conflicts: conflicts.map((edit) => ({ selection: edit.selection, current: levelOf(edit) })),
      refused: [
        ...[...refused].map(([selection, reason]) => ({ selection, reason })),
        ...[...lacking].map((selection) => ({ selection, reason: 'unknown' as const })),
      ],
    }
  },

  listStockMovements: async (call) => {
    const { db, params, query } = call
    refuseReversed(query)
    await machineOf(db, params.posId)
    const { rows, total, capped, shrinkage } = await listMovements(db, params.posId, query)
    const shown = await withShownNames(call, rows, 'changed_by', 'changed_by_name')
    const items = shown.map((row) => ({
      id: `${row.id} ${row.selection}`,
      at: toWire(row.at),
      selection: row.selection,
      product: row.product,
      kind: row.kind as 'sale',
      amount: row.amount,
      opening: row.opening,
      late: row.late,
      changedBy: row.changed_by_name,
    }))
    return { items, total, capped, shrinkage }
  },
}
