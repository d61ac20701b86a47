import type { MovementStats, movements } from '#contract/movement.ts'
import { movementsOf } from '#database/movement.ts'
import { movementSums } from '#domain/movement.ts'
import type { Handlers } from './handler.ts'
import { machineOf, refuseReversed } from './refuse.ts'

export const movementHandlers: Handlers<typeof movements> = {
  getMovementStats: async ({ db, params, query }) => {
    refuseReversed(query)
    const machine = await machineOf(db, params.posId)
    const sums = movementSums(await movementsOf(db, machine.id, query))
    return { ...query, currency: machine.currency as MovementStats['currency'], ...sums }
  },
}
