import type pg from 'pg'
import type { Role } from '#contract/vocabulary/roles.ts'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import type { MachineMemory } from '#simulator/memory.ts'
import type { TestClient } from '#testkit/api.ts'
import { startProduct } from '#testkit/product.ts'
import { productClient } from '#testkit/product-api.ts'
import { serveCustomers } from './customers.ts'
import { lastReading, playDay, sendItems, type Visited } from './machine-days.ts'
import { countBags, refundFailedVends, saveVisits } from './staff.ts'

const dayMs = 86_400_000
/** Machines that send at the same time. */
const atOnce = 4
/** Machines at which customers use cloud credit. */
const withCustomers = 4

export interface SimulatedDay {
  /** The history of the demo ends and the day begins. */
  from: Date
  /** The day's last readings. */
  to: Date
  merchantIds: readonly string[]
  /** Reads the database as its owner, past row-level security. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Calls the API as the demo's user of a role; the super admin sees all merchants. */
  as(role: Role): Promise<TestClient>
  stop(): Promise<void>
}

/** Starts the product and lets its machines, customers and staff work for a day. */
export async function simulateDay(): Promise<SimulatedDay> {
  const from = new Date(Date.now() - dayMs)
  const product = await startProduct({ withFleet: false, until: from })
  try {
    const { admin } = product.database
    const as = (role: Role) => productClient(product, role)
    const memories = new Map(
      product.machines.flatMap(({ plan, memory }) => (memory ? [[plan.serial, structuredClone(memory)] as const] : [])),
    )
    const members = product.machines.filter(({ plan }) => plan.behaviour !== 'offline')
    const memoryOf = (serial: string) => memories.get(serial) as MachineMemory

    const visits: Visited[] = []
    await inParallel(members, async (member, place) => {
      const day = playDay(member, memoryOf(member.plan.serial), place, from.getTime(), Date.now() - 60_000)
      visits.push(...day.visits)
      await sendItems(product.url, member, day.items)
    })

    const staff = await as('superAdmin')
    await saveVisits(admin, staff, visits)
    const ready = members.filter(
      ({ plan }) => plan.behaviour === 'success' && memoryOf(plan.serial).faults.length === 0,
    )
    const broker = `mqtt://127.0.0.1:${product.mqttPort}`
    const done = await serveCustomers(broker, ready.slice(0, withCustomers), memories)
    for (const outcome of ['sold', 'failed', 'recharged', 'collected'])
      if (!done.some((one) => one.outcome === outcome)) throw new Error(`No customer ended as ${outcome}`)

    await inParallel(members, (member) =>
      sendItems(product.url, member, lastReading(member, memoryOf(member.plan.serial), Date.now())),
    )
    const to = new Date()
    const merchants = await admin<{ id: string }>('select id from merchants order by id')
    const merchantIds = merchants.map(({ id }) => id)
    await countBags(staff, merchantIds, from)
    await refundFailedVends(admin, staff, from)
    // The worker does it each minute: KPIs are those of days that have been summed up.
    while ((await sumUpDays(product.database, new Date())) > 0);
    return { from, to, merchantIds, sql: admin, as, stop: product.stop }
  } catch (error) {
    await product.stop()
    throw error
  }
}

async function inParallel<T>(all: readonly T[], work: (one: T, place: number) => Promise<void>): Promise<void> {
  const left = all.entries()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [place, one] of left) await work(one, place)
    }),
  )
}
