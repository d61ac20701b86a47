import type { VisitCandidate } from '#contract/stock/round.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { setRoundStatus } from '#database/stock/round.ts'
import { computeLoads, loadsOfRound } from '#database/stock/round-load.ts'
import { skipStops, writeStops } from '#database/stock/round-stop.ts'
import { closeByVisit, costOfVisit, insertVisit } from '#database/stock/visit.ts'
import { candidateRows } from '#database/stock/visit-candidate.ts'
import { drivingOrder } from '#domain/stock/round.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { loadsUntil, stopFactsOf, worthVisit } from '#server/api/stock/candidates.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'
import { routeNames, townOf } from './towns.ts'

const hourMs = 3_600_000
const minuteMs = 60_000

const words = {
  it: { note: 'Chiavi in portineria.', skipped: 'Chiuso per inventario' },
  es: { note: 'Llaves en portería.', skipped: 'Cerrado por inventario' },
  en: { note: 'Keys at the reception.', skipped: 'Closed for stocktaking' },
} as const satisfies Record<DemoMerchant['speech'], object>

interface Past {
  until: number
  seed: string
}
type Person = { id: string; name: string }

/** A round for tomorrow and one under way, with visits, of each merchant that manages stock; unless it has rounds. */
export async function addRounds(doors: Doors, past: Past): Promise<void> {
  for (const merchant of demoMerchants) {
    if (!merchant.features.includes('productStock')) continue
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      const existing = await db.from('rounds').where('merchant_id', '=', merchant.id).select('id').limit(1).execute()
      if (existing.length === 0) await addRoundsOf(db, merchant, past)
    })
  }
}

async function addRoundsOf(db: TenantDb, merchant: DemoMerchant, { until, seed }: Past) {
  const random = randomFrom(`${seed} rounds ${merchant.id}`)
  const now = new Date(until)
  const timeZone = merchant.timeZone
  const today = dayIn(now, timeZone)
  const tomorrow = addDays(today, 1)
  const { items: due } = await worthVisit(db, { day: tomorrow, timeZone, now }, { page: 1, size: 500 })
  const drivers = authorsAt({ merchant, group: merchant.places[0]?.group ?? '' }, 'visit.write')
  // The user of the demo's sign-in page sees a round of their own.
  const driver = drivers.find(({ id }) => id.endsWith('b004')) ?? drivers.at(-1)
  const [first, next] = townsOf(merchant, due)
  if (!driver || !first || due.length < 3) return
  const second = next ?? first
  const text = words[merchant.speech]
  const nameOf = routeNames[merchant.speech]
  const plan = { db, merchant, timeZone, now, random }
  const isIn = (town: string) => (one: Stop) => townOfStop(merchant, one) === town
  const planned = due.filter(isIn(first)).slice(0, 9)
  const ahead = { name: nameOf(first), day: tomorrow, driver, machines: planned, note: text.note }
  await addRound(plan, ahead)
  const visited = (await fullMachines(db, due)).filter(isIn(second)).slice(0, 3)
  const others = due.filter((one) => isIn(second)(one) && !planned.includes(one)).slice(0, 4)
  const day = { name: nameOf(second), day: today, driver, machines: [...visited, ...others], note: null }
  const round = await addRound(plan, day)
  await drive(plan, round, { driver, visited, text: text.skipped })
}

type Stop = Pick<VisitCandidate, 'posId' | 'posName' | 'latitude' | 'longitude'>

/** Machines that are not due and well filled. */
async function fullMachines(db: TenantDb, due: readonly Stop[]): Promise<Stop[]> {
  const machines = await db
    .from('machines')
    .where('machines.hidden', '=', false)
    .select('machines.id')
    .orderBy('machines.id')
    .execute()
  const isDue = new Set(due.map(({ posId }) => posId))
  const rows = await candidateRows(
    db,
    machines.map(({ id }) => id).filter((id) => !isDue.has(id)),
  )
  return rows
    .filter(({ level, capacity }) => level * 100 > capacity * 60)
    .map(({ id, name, latitude, longitude }) => ({ posId: id, posName: name, latitude, longitude }))
}

/** The town of a stop's site. */
const townOfStop = ({ places }: DemoMerchant, { posName }: Stop) =>
  townOf(places.find(({ name }) => posName.startsWith(`${name}, `))?.address ?? '')

/** Towns with machines, those with most machines first. */
const townsOf = (merchant: DemoMerchant, machines: readonly Stop[]) =>
  [...Map.groupBy(machines, (one) => townOfStop(merchant, one))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([town]) => town)

interface Plan {
  db: TenantDb
  merchant: DemoMerchant
  timeZone: string
  now: Date
  random: Random
}

async function addRound(
  { db, merchant, timeZone, now, random }: Plan,
  round: { name: string; day: string; driver: Person; machines: readonly Stop[]; note: string | null },
) {
  const key = { merchant_id: merchant.id, id: uuidAt(now.getTime(), random) }
  const { name, day, driver, note, machines } = round
  const route = await db
    .from('routes')
    .where('merchant_id', '=', merchant.id)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst()
  const driven = { assignee_id: driver.id, assignee_name: driver.name, route_id: route?.id ?? null }
  await db.query
    .insertInto('rounds')
    .values({ ...key, name, day, note, ...driven, created_at: now })
    .execute()
  const order = drivingOrder(machines).map(({ posId }) => posId)
  const stops = await writeStops(db, key, order, await stopFactsOf(db, order, { day, timeZone, now }))
  await computeLoads(db, merchant.id, stops, loadsUntil(day, timeZone, now))
  return { key, stops }
}

/** A round under way: some machines are visited, one was closed, the others are still open. */
async function drive(
  { db, now, random }: Plan,
  { key, stops }: Awaited<ReturnType<typeof addRound>>,
  { driver, visited, text }: { driver: Person; visited: readonly Stop[]; text: string },
) {
  const startedAt = now.getTime() - 3 * hourMs
  await setRoundStatus(db, key, 'underway', new Date(startedAt))
  const loads = Map.groupBy(await loadsOfRound(db, key), ({ stop_id }) => stop_id)
  const done = stops.filter(({ machineId }) => visited.some(({ posId }) => posId === machineId))
  for (const [place, stop] of done.entries()) {
    const at = new Date(startedAt + (place * 42 + random.int(12, 30)) * minuteMs)
    const lines = (loads.get(stop.id) ?? [])
      .filter(({ quantity }) => quantity > 0)
      .map(({ selection, quantity }) => ({
        selection,
        planned: quantity,
        loaded: quantity,
        waste: 0,
        counted: null,
        unit_cost: null,
      }))
    const visit = {
      merchant_id: key.merchant_id,
      id: uuidAt(at.getTime(), random),
      machine_id: stop.machineId,
      round_id: key.id,
      stop_id: stop.id,
      at,
      received_at: at,
      user_id: driver.id,
      user_name: driver.name,
      cash_taken: false,
      bag_number: null,
      note: null,
      digest: 'demo',
      cost: await costOfVisit(db, key.merchant_id),
    }
    await insertVisit(db, visit, lines, null)
    await closeByVisit(db, { merchant_id: key.merchant_id, id: stop.id }, { visitId: visit.id, at, user: driver })
  }
  const closed = stops.find(({ machineId }) => !visited.some(({ posId }) => posId === machineId))
  if (closed && stops.length > done.length + 1) {
    const skip = { stopId: closed.id, reason: 'closed' as const, note: text, by: driver }
    await skipStops(db, key, { ...skip, at: new Date(now.getTime() - 20 * minuteMs) })
  }
}
