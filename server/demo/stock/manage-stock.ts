import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { manageStock } from '#database/stock/manage.ts'
import { bookMovements, type UserMovement } from '#database/stock/movement.ts'
import { refreshSupplies } from '#database/stock/supply.ts'
import { demoMerchants } from '../merchants.ts'
import { authorsAt } from '../people.ts'

/** Machines of one transaction. */
const atOnce = 50

/** Visits are so long after the books were opened. */
const visitMs = 60_000

/** Some machines stay unmanaged: their merchant has not got to them yet. */
const isManaged = (place: number) => place % 4 !== 3

/** Manages the stock of most machines with a planogram at the end of the history, and books a few visits. */
export async function managePastStock(doors: Doors, until: number): Promise<void> {
  for (const { id: merchantId, features } of demoMerchants) {
    if (!features.includes('productStock')) continue
    const scope = [{ merchantId, groups: 'all' as const }]
    const found = await doors.withTenant(scope, (db) =>
      db
        .from('machines')
        .where('machines.planogram_id', 'is not', null)
        .select('machines.id')
        .orderBy('machines.serial')
        .execute(),
    )
    const ids = found.map(({ id }) => id).filter((_, place) => isManaged(place))
    for (let from = 0; from < ids.length; from += atOnce) {
      const some = ids.slice(from, from + atOnce)
      await doors.withTenant(scope, async (db) => {
        await lockJournals(
          db,
          some.map((id) => ({ merchantId, id })),
        )
        const machines = some.map((machineId) => ({ merchantId, machineId }))
        await manageStock(db, machines, true, new Date(until - visitMs))
        await bookVisits(db, merchantId, some, until)
        await refreshSupplies(db, some, new Date(until))
      })
    }
  }
}

/** A visit to every fifth machine: one selection lacks pieces or all of them, one was filled, one had waste. */
async function bookVisits(db: TenantDb, merchantId: string, machineIds: readonly string[], until: number) {
  const at = new Date(until)
  const user = authorsAt({ merchant: { id: merchantId }, group: '' }, 'stock.write')[0] ?? null
  const visited = machineIds.filter((_, place) => place % 5 === 0)
  const rows = await db
    .from('machine_stock')
    .where('machine_id', 'in', [...visited, merchantId])
    .where('gone', '=', false)
    .where('planned', '=', true)
    .select(['machine_id', 'selection', 'level', 'refill_value'])
    .orderBy('machine_id')
    .orderBy('selection')
    .execute()
  const movements = [...Map.groupBy(rows, ({ machine_id }) => machine_id).values()].flatMap((own, place) =>
    own
      .slice(0, 3)
      .flatMap(({ machine_id: machineId, selection, level, refill_value: refillValue }, nth): UserMovement[] => {
        const base = { merchantId, machineId, selection, at, user }
        if (nth === 0) return [{ ...base, kind: 'correction', amount: place % 2 === 0 ? 0 : Math.max(0, level - 2) }]
        if (nth === 1) return [{ ...base, kind: 'refill', amount: Math.max(1, (refillValue ?? 0) - level) }]
        return level > 0 ? [{ ...base, kind: 'waste', amount: 1 }] : []
      }),
  )
  await bookMovements(db, movements, at)
}
