import { NewPlanogram, Planogram, PlanogramRow, type planograms } from '#contract/catalogue/planogram.ts'
import { ProductError } from '#contract/errors.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import {
  findPlanogram,
  machinesWithPlanogram,
  planogramList,
  writePlanogramLines,
} from '#database/catalogue/planogram.ts'
import { reportedSelections, sellsHotDrinks } from '#database/catalogue/reported-selections.ts'
import { constraintOf } from '#database/frame/constraint.ts'
import { replan } from '#database/stock/planned.ts'
import { compareLines, draftOf } from '#domain/catalogue/planogram.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { sendPlanogramPdf } from './planogram-pdf.ts'

const presentRow = (row: Awaited<ReturnType<typeof planogramList.list>>['rows'][number]) => wireOf(PlanogramRow, row)

/** A planogram as users create and edit it, with its selections. */
export const planogramRecord = editable({
  noun: 'planogram',
  rows: { ...planogramList, find: findPlanogram },
  fields: NewPlanogram,
  storedApart: {
    lines: async (db, key, lines: NewPlanogram['lines']) => {
      await writePlanogramLines(db, key, lines).catch((error: unknown) => {
        // The product is another merchant's, or was deleted after the ids were checked.
        if (constraintOf(error) === 'planogram_lines_merchant_id_product_id_fkey')
          throw new ProductError('ProductNotFound')
        throw error
      })
      await replan(db, key, new Date())
    },
  },
  present: (planogram) => wireOf(Planogram, planogram),
  presentRow,
  duplicates: { planograms_by_name: ['PlanogramAlreadyExists', 'name'] },
  blockedBy: machinesWithPlanogram,
})

/** Planograms of a merchant. */
export const planogramHandlers: Handlers<typeof planograms> = {
  ...planogramRecord.handlers,
  getPlanogramPdf: sendPlanogramPdf,

  draftPlanogram: async ({ db, params }) => {
    const { id, name } = await machineOf(db, params.posId)
    const planogramType = (await sellsHotDrinks(db, id)) ? 'A' : 'B'
    return draftOf({ name: name.slice(0, 120), planogramType }, await reportedSelections(db, id))
  },

  comparePlanogram: async ({ db, params }) => {
    const { merchant_id, currency, lines } = await planogramRecord.of(db, params.planogramId)
    const machine = await machineOf(db, params.posId)
    // Each is within reach, but they belong to two merchants.
    if (machine.merchant_id !== merchant_id) throw new ProductError('MachineNotFound')
    return { currency: currency as Currency, lines: compareLines(lines, await reportedSelections(db, machine.id)) }
  },
}
