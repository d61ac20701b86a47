import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { manageStock, setStockCounter } from '#database/stock/manage.ts'
import { bookHandling, type HandledSelection } from '#database/stock/refill.ts'
import { refreshSupplies } from '#database/stock/supply.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'

/** Machines of one transaction. */
const atOnce = 50

/** Visits are so long after the books were opened. */
const visitMs = 60_000

/** Some machines stay unmanaged: their merchant has not come to them. */
const isManaged = (place: number) => place % 4 !== 3

/** Some machines count their stock themselves. */
const countsItself = (place: number) => place % 3 === 2

/** Manages the stock of most machines with a planogram at the end of the history, and books a few visits. */
export async function managePastStock(doors: Doors, until: number): Promise<void> {
  for (const { id: merchantId, features } of demoMerchants) {
    if (!features.includes('productStock')) continue
    const scope = [{ merchantId, groups: 'all' as const }]
    const unmanaged = await doors.withTenant(scope, (db) =>
      db
        .from('machines')
        .where('machines.planogram_id', 'is not', null)
        .select('machines.id')
        .orderBy('machines.serial')
        .execute(),
    )
    const ids = unmanaged.map(({ id }) => id).filter((_, place) => isManaged(place))
    for (let from = 0; from < ids.length; from += atOnce) {
      const some = ids.slice(from, from + atOnce)
      await doors.withTenant(scope, async (db) => {
        await lockJournals(
          db,
          some.map((id) => ({ merchantId, id })),
        )
        const machines = some.map((machineId) => ({ merchantId, machineId }))
        await manageStock(db, machines, true, new Date(until - visitMs))
        const counting = machines.filter((_, place) => countsItself(from + place))
        await setStockCounter(db, counting, 'machine', new Date(until - visitMs))
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
    .select(['machine_id', 'selection', 'level', 'refill_value', 'reported_capacity'])
    .orderBy('machine_id')
    .orderBy('selection')
    .execute()
  const visits = [...Map.groupBy(rows, ({ machine_id }) => machine_id)]
  const journals = await lockJournals(
    db,
    visits.map(([id]) => ({ merchantId, id })),
  )
  for (const [place, [machineId, levels]] of visits.entries()) {
    const countsStock = journals.get(machineId)?.countsStock ?? false
    const lines = levels
      .slice(0, 3)
      .map(({ selection, level, refill_value, reported_capacity }, nth): HandledSelection => {
        const line = { selection, counted: null, waste: 0, loaded: 0 }
        if (nth === 1)
          return { ...line, loaded: Math.max(0, Math.min(refill_value ?? 0, reported_capacity ?? 0) - level) }
        if (nth === 2) return { ...line, waste: Math.min(level, 1) }
        if (countsStock) return line
        return { ...line, counted: place % 2 === 0 ? 0 : Math.max(0, level - 2) }
      })
    await bookHandling(db, { merchantId, machineId, countsStock }, lines, { at, user }, at)
  }
}
