import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { MinorUnits, period } from '../frame/shapes.ts'
import { MediaType, TransactionType } from '../vocabulary/transaction.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** Whether money enters or leaves the machine; `none` is information only. */
export const movementDirections = ['in', 'out', 'none'] as const
export const MovementDirection = z.enum(movementDirections)
export type MovementDirection = z.infer<typeof MovementDirection>

/** Money that moved at a machine in a period, by kind and medium, with money charged for failed vends. Values are minor units and never negative. */
export const MovementStats = z.strictObject({
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  currency: Currency,
  cash: z.strictObject({ in: MinorUnits, out: MinorUnits }),
  cashless: z.strictObject({ in: MinorUnits, out: MinorUnits }),
  /** The greatest first. */
  movements: z.array(
    z.strictObject({
      type: TransactionType,
      mediaType: MediaType,
      direction: MovementDirection,
      count: z.int(),
      value: MinorUnits,
      /** The part of `value` in coins and notes. */
      cash: MinorUnits,
    }),
  ),
})
export type MovementStats = z.infer<typeof MovementStats>

export const movements = {
  getMovementStats: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/movements/stats',
    summary: 'List money movements of a point of sale by type',
    needs: 'machine.read',
    finds: ['posId'],
    query: z.strictObject(period),
    ok: MovementStats,
    fails: ['MachineNotFound', 'PeriodReversed'],
  }),
}
