import type { MovementStats, movements } from '#contract/cash/movement.ts'
import { movementsOf } from '#database/cash/movement.ts'
import { movementSums } from '#domain/cash/movement.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf, refuseReversed } from '#server/http/refuse.ts'

export const movementHandlers: Handlers<typeof movements> = {
  getMovementStats: async ({ db, params, query }) => {
    refuseReversed(query)
    const machine = await machineOf(db, params.posId)
    const sums = movementSums(await movementsOf(db, machine.id, query))
    return { ...query, currency: machine.currency as MovementStats['currency'], ...sums }
  },
}
