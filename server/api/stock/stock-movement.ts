import { ProductError } from '#contract/errors.ts'
import { mostPieces } from '#contract/stock/pieces.ts'
import { type StockEdit, StockMovement, type stockMovements } from '#contract/stock/stock-movement.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { settleDifferences } from '#database/stock/difference.ts'
import { heldBefore } from '#database/stock/held.ts'
import { bookMovements } from '#database/stock/movement.ts'
import { listMovements } from '#database/stock/movement-list.ts'
import { bookHandling, settleRefills, type WaitingRefill, waitingRefills } from '#database/stock/refill.ts'
import { type StockRecord, stockOf } from '#database/stock/stock.ts'
import { excessOf, type Held } from '#domain/stock/bounds.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { machineOf, refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

/** An edit as the bounds of a selection take it. */
const handlingOf = ({ count, waste = 0, refill = 0 }: StockEdit) => ({ counted: count ?? null, waste, loaded: refill })

/** Of a selection without books. */
const unknownHeld = { level: null, capacity: null }

/** A machine with managed stock, its journal locked. */
async function managedOf({ db }: Pick<TenantCall, 'db'>, posId: string) {
  const { merchant_id: merchantId, id: machineId } = await machineOf(db, posId)
  const journal = (await lockJournals(db, [{ merchantId, id: machineId }])).get(machineId)
  if (!journal) throw new ProductError('MachineNotFound')
  if (!journal.managesStock) throw new ProductError('StockNotManaged')
  return { merchantId, machineId, journal }
}

/** What selections hold after lines that wait, oldest first, at most what fits. */
function levelsAfter(
  lines: readonly WaitingRefill[],
  { levels, held }: { levels: ReadonlyMap<string, number>; held: ReadonlyMap<string, Held> },
): Map<string, number> {
  const after = new Map<string, number>()
  for (const { selection, counted, waste, loaded } of lines) {
    const before = counted ?? after.get(selection) ?? levels.get(selection) ?? 0
    const most = held.get(selection)?.capacity ?? mostPieces
    after.set(selection, Math.min(most, Math.max(0, before - waste) + loaded))
  }
  return after
}

export const stockMovementHandlers: Handlers<typeof stockMovements> = {
  bookStock: async (call) => {
    const { db, params, body, user, now, live } = call
    const { merchantId, machineId, journal } = await managedOf(call, params.posId)
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
    const { unknown, moved, alarmed, waiting } = await bookHandling(
      db,
      { ...journal, machineId },
      edits.map((edit) => ({ selection: edit.selection, ...handlingOf(edit) })),
      { at: now, user },
      now,
    )
    const lacking = new Set(unknown.map(({ selection }) => selection))
    const booked = edits.filter(({ selection }) => !lacking.has(selection))
    if (moved.length > 0 || waiting.length > 0) {
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
      booked: booked.length - waiting.length,
      waiting,
      levels: booked.map(({ selection }) => ({ selection, level: after.get(selection) ?? 0 })),
      conflicts: conflicts.map((edit) => ({ selection: edit.selection, current: levelOf(edit) })),
      refused: [
        ...[...refused].map(([selection, reason]) => ({ selection, reason })),
        ...[...lacking].map((selection) => ({ selection, reason: 'unknown' as const })),
      ],
    }
  },

  settleStockDifferences: async (call) => {
    const { db, params, body, user, now, live } = call
    const { merchantId, machineId } = await managedOf(call, params.posId)
    const levels = new Map((await stockOf(db, machineId)).map((row) => [row.selection, row]))
    const { settled, alarmed } = await settleDifferences(db, { merchantId, machineId }, body.selections, body.keep, {
      user: { id: user.id, name: user.name },
      now,
    })
    const stockOfSettled = (of: (row: StockRecord) => number | null) =>
      settled.map((selection) => ({ selection, level: of(levels.get(selection) as StockRecord) }))
    if (settled.length > 0)
      await recordChange(db, {
        merchantId,
        at: now,
        user,
        action: body.keep === 'machine' ? 'machine.bookStock' : 'machine.keepStock',
        subjectType: 'machine',
        subjectId: machineId,
        before: { stock: stockOfSettled(({ level }) => level) },
        after: { stock: stockOfSettled(({ level, reported }) => (body.keep === 'machine' ? reported : level)) },
      })
    db.afterCommit(() => {
      live.announce(merchantId, 'stock', machineId)
      if (alarmed.length > 0) live.announce(merchantId, 'alarm', machineId)
    })
    return { settled }
  },

  settleStockRefills: async (call) => {
    const { db, params, body, user, now, live } = call
    const { merchantId, machineId } = await managedOf(call, params.posId)
    const selectedRefills = new Set(body.refills.map(({ id, selection }) => `${id} ${selection}`))
    const lines = (await waitingRefills(db, [machineId])).filter((line) =>
      selectedRefills.has(`${line.id} ${line.selection}`),
    )
    const held = await heldBefore(db, machineId, now)
    const levels = new Map((await stockOf(db, machineId)).map(({ selection, level }) => [selection, level]))
    const after = levelsAfter(lines, { levels, held })
    const counts = [...after].map(([selection, amount]) => ({
      merchantId,
      machineId,
      selection,
      at: now,
      kind: 'correction' as const,
      amount,
      user: { id: user.id, name: user.name },
    }))
    const { alarmed } = body.as === 'count' ? await bookMovements(db, counts, now) : { alarmed: [] }
    await settleRefills(db, lines, body.as === 'count' ? 'counted' : 'dropped', now)
    if (lines.length > 0)
      await recordChange(db, {
        merchantId,
        at: now,
        user,
        action: body.as === 'count' ? 'machine.bookStock' : 'machine.dropRefill',
        subjectType: 'machine',
        subjectId: machineId,
        before: { stock: [...after.keys()].map((selection) => ({ selection, level: levels.get(selection) ?? 0 })) },
        after: {
          stock:
            body.as === 'count'
              ? [...after].map(([selection, count]) => ({ selection, count }))
              : lines.map(({ selection, waste, loaded }) => ({ selection, waste, refill: loaded })),
        },
      })
    db.afterCommit(() => {
      live.announce(merchantId, 'stock', machineId)
      if (alarmed.length > 0) live.announce(merchantId, 'alarm', machineId)
    })
    return { settled: lines.length }
  },

  listStockMovements: async (call) => {
    const { db, params, query } = call
    refuseReversed(query)
    await machineOf(db, params.posId)
    const { rows, ...page } = await listMovements(db, params.posId, query)
    const named = await withShownNames(call, rows, 'changed_by', 'changed_by_name')
    const items = named.map((row) =>
      wireOf(StockMovement, row, { id: `${row.id} ${row.selection}`, changedBy: row.changed_by_name }),
    )
    return { items, ...page }
  },
}
