import { ProductError } from '#contract/errors.ts'
import { fromWire, toWire } from '#contract/instant.ts'
import type { machines } from '#contract/machine.ts'
import { countMachines, listMachines, machinesOnMap, salesByDay, usualSalesByNow } from '#database/machine.ts'
import { timelineOf } from '#database/timeline.ts'
import { deviceAddresses } from '../gateway/association.ts'
import { createPins } from '../gateway/pins.ts'
import { publicOriginOf } from '../origin.ts'
import { asTold } from './as-told.ts'
import type { Handlers } from './handler.ts'
import { machineEditHandlers } from './machine-edit.ts'
import { presentMachine, presentMachineRow } from './present-machine.ts'
import { machineOf, refuseForeign } from './refuse.ts'

export const machineHandlers: Handlers<typeof machines> = {
  ...machineEditHandlers,

  listMachines: async ({ db, query, now }) => {
    await refuseForeign(db, query)
    const { rows, total, capped } = await listMachines(db, query, query)
    const sales = await salesByDay(
      db,
      rows.map((row) => row.id),
      now,
    )
    return { items: rows.map((row) => presentMachineRow(row, sales.get(row.id))), total, capped }
  },

  countMachines: ({ db }) => countMachines(db),

  mapMachines: async ({ db, query }) => {
    await refuseForeign(db, query)
    const rows = await machinesOnMap(db, query)
    return rows.map(({ merchant_id, ...point }) => ({ ...point, merchantId: merchant_id }))
  },

  getMachine: async ({ db, params, now }) => {
    const machine = await machineOf(db, params.posId)
    const sales = await salesByDay(db, [machine.id], now)
    return presentMachine(machine, sales.get(machine.id), await usualSalesByNow(db, machine.id, now))
  },

  getTimeline: async (call) => {
    const { db, params, query, now } = call
    const machine = await machineOf(db, params.posId)
    const before = query.before ? fromWire(query.before) : new Date(now.getTime() + 1)
    const rows = await asTold(call, await timelineOf(db, machine, before, query.size), 'by_id', 'by')
    return rows.map(({ by_id: _, ...row }) => ({ ...row, at: toWire(row.at) }))
  },

  getAssociation: async ({ db, params, config, request }) => {
    const pin = await createPins(config.secretKey).pinOf(db, params.merchantId)
    if (pin === null) throw new ProductError('MerchantNotFoundException')
    return { pin, ...deviceAddresses({ ...config, publicUrl: publicOriginOf(config, request) }) }
  },
}
