import type { RouteStop } from '#contract/stock/route.ts'
import type { PosSector } from '#contract/vocabulary/pos-sector.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { writeRouteStops } from '#database/stock/route.ts'
import { drivingOrder } from '#domain/stock/round.ts'
import { randomFrom } from '#simulator/random.ts'
import type { DemoMachine } from '../fleet/fleet.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'
import { routeNames, townOf } from './towns.ts'

/** A town with fewer machines has no route: the plan of the week sends a near one there. */
const leastMachines = 3
/** Towns with so many machines are driven to three times a week, others twice. */
const manyMachines = 8

/** The hours of sites that are not always open. */
const hours: Partial<Record<PosSector, readonly [opensAt: string, closesAt: string]>> = {
  school: ['07:30', '16:00'],
  office: ['08:00', '19:00'],
  publicOffice: ['08:30', '17:00'],
}

interface Past {
  fleet: readonly DemoMachine[]
  until: number
  seed: string
}

/** A route for each town of a merchant that manages stock; unless it has routes. */
export async function addRoutes(doors: Doors, past: Past): Promise<void> {
  for (const merchant of demoMerchants) {
    if (!merchant.features.includes('productStock')) continue
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      const existing = await db.from('routes').where('merchant_id', '=', merchant.id).select('id').limit(1).execute()
      if (existing.length === 0) await addRoutesOf(db, merchant, past)
    })
  }
}

async function addRoutesOf(db: TenantDb, merchant: DemoMerchant, { fleet, until, seed }: Past) {
  const random = randomFrom(`${seed} routes ${merchant.id}`)
  const machines = fleet.filter((machine) => machine.merchant.id === merchant.id)
  const towns = [...Map.groupBy(machines, ({ address }) => townOf(address))]
    .filter(([, members]) => members.length >= leastMachines)
    .toSorted(([, a], [, b]) => b.length - a.length)
  for (const [place, [town, members]] of towns.entries()) {
    const drivers = authorsAt({ merchant, group: members[0]?.group ?? '' }, 'visit.write').slice(-3)
    const driver = drivers[place % drivers.length]
    if (!driver) continue
    const route = { merchant_id: merchant.id, id: uuidAt(until, random) }
    await db.query
      .insertInto('routes')
      .values({
        ...route,
        name: routeNames[merchant.speech](town),
        days: daysOf(members.length, place),
        assignee_id: driver.id,
        assignee_name: driver.name,
        created_at: new Date(until),
      })
      .execute()
    await writeRouteStops(db, route, drivingOrder(members).map(stopAt))
  }
}

/** Working days on which a route is driven, 1 Monday. */
function daysOf(machines: number, place: number): number[] {
  if (machines >= manyMachines) return [1, 3, 5]
  return place % 2 === 0 ? [1, 4] : [2, 5]
}

function stopAt({ id, sector }: DemoMachine): RouteStop {
  const [opensAt = null, closesAt = null] = hours[sector] ?? []
  return { posId: id, days: [], opensAt, closesAt }
}
