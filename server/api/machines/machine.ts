import { ProductError } from '#contract/errors.ts'
import { fromWire, toWire } from '#contract/frame/instant.ts'
import type { machines } from '#contract/machines/machine.ts'
import {
  countMachines,
  listAllMachines,
  listMachines,
  salesByDay,
  usualSalesByNow,
} from '#database/machines/machine.ts'
import { timelineOf } from '#database/machines/timeline.ts'
import { deviceAddresses } from '#server/gateway/association.ts'
import { createPins } from '#server/gateway/pins.ts'
import type { Handlers } from '#server/http/handler.ts'
import { publicOriginOf } from '#server/http/origin.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { machineOf, refuseReversedRanges } from '#server/http/refuse.ts'
import { machineEditHandlers } from './machine-edit.ts'
import { spotsOnMap } from './machine-map.ts'
import { presentListedMachine, presentMachine, presentMachineRow } from './present-machine.ts'

export const machineHandlers: Handlers<typeof machines> = {
  ...machineEditHandlers,

  listAllMachines: async ({ db, query }) => {
    refuseReversedRanges(query)
    const { rows, ...counted } = await listAllMachines(db, query)
    return { items: rows.map(presentListedMachine), ...counted }
  },

  listMachines: async ({ db, query, now }) => {
    refuseReversedRanges(query)
    const { rows, total, capped } = await listMachines(db, query)
    const sales = await salesByDay(
      db,
      rows.map((row) => row.id),
      now,
    )
    return { items: rows.map((row) => presentMachineRow(row, sales.get(row.id))), total, capped }
  },

  countMachines: async ({ db }) => {
    const { states, counts } = await countMachines(db)
    return { ...states, ...counts }
  },

  mapMachines: async ({ db, query }) => {
    refuseReversedRanges(query)
    return spotsOnMap(db, query)
  },

  getMachine: async ({ db, params, now }) => {
    const machine = await machineOf(db, params.posId)
    const sales = await salesByDay(db, [machine.id], now)
    return presentMachine(machine, sales.get(machine.id), await usualSalesByNow(db, machine.id, now), now)
  },

  getTimeline: async (call) => {
    const { db, params, query, now } = call
    const machine = await machineOf(db, params.posId)
    const before = query.before ? fromWire(query.before) : new Date(now.getTime() + 1)
    const rows = await withShownNames(call, await timelineOf(db, machine, before, query), 'by_id', 'by')
    return rows.map(({ by_id: _, ...row }) => ({ ...row, at: toWire(row.at) }))
  },

  getAssociation: async ({ db, params, config, request }) => {
    const pin = await createPins(config.secretKey).pinOf(db, params.merchantId)
    if (pin === null) throw new ProductError('MerchantNotFoundException')
    return { pin, ...deviceAddresses({ ...config, publicUrl: publicOriginOf(config, request) }) }
  },
}
