import { sql } from 'kysely'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { lockJournals } from '../ingest/journal.ts'
import { recordChanges } from '../platform/change-log.ts'
import { type PriceStep, writeWanted } from './price-edit.ts'
import { endPlanned } from './price-plan.ts'
import { type SentPrices, sendWantedPrices } from './price-sending.ts'

/** Machines of one transaction; their reports and sales wait for it. */
const machinesPerTransaction = 50
/** Machines of one pass; a pass runs every minute. */
const machinesPerPass = 2_000

interface DueMachine {
  merchantId: string
  machineId: string
}

/** A planned price that has started, with its wanted price before. */
interface Started extends PriceStep {
  planId: string
  send: boolean
  user: { id: string; name: string }
}

/**
 * Turns planned prices that are due into wanted prices, and sends them if the plan says so. Each starts once, with any number of workers.
 * Machines that were deleted or moved to another merchant lose theirs.
 */
export async function startPlannedPrices(
  doors: Doors,
  now: Date,
): Promise<{ started: DueMachine[]; sent: DueMachine[] }> {
  const due = await doors.withSystem(
    'planned prices',
    (db) =>
      db
        .selectFrom('planned_prices')
        .where('status', '=', 'planned')
        .where('starts_at', '<=', now)
        .select(['merchant_id as merchantId', 'machine_id as machineId'])
        .distinct()
        .orderBy('merchant_id')
        .orderBy('machine_id')
        .limit(machinesPerPass)
        .execute(),
    'single statement',
  )
  const started: DueMachine[] = []
  const sent: DueMachine[] = []
  for (const [merchantId, machines] of Map.groupBy(due, (machine) => machine.merchantId)) {
    for (let from = 0; from < machines.length; from += machinesPerTransaction) {
      const ids = machines.slice(from, from + machinesPerTransaction).map(({ machineId }) => machineId)
      const outcome = await doors.withTenant([{ merchantId, groups: 'all' }], (db) =>
        startPrices(db, merchantId, ids, now),
      )
      started.push(...outcome.started)
      sent.push(...outcome.sent)
    }
  }
  return { started, sent }
}

async function startPrices(db: TenantDb, merchantId: string, machineIds: readonly string[], now: Date) {
  const locked = await lockJournals(
    db,
    machineIds.map((id) => ({ merchantId, id })),
  )
  const gone = machineIds.filter((id) => !locked.has(id))
  for (const machineId of gone) await endPlanned(db, { machineId }, 'lost')
  const steps = await takeDue(db, merchantId, [...locked.keys()], now)
  // Plans start in the order of their days, so that the last one stays in force.
  for (const planSteps of Map.groupBy(steps, ({ planId }) => planId).values()) {
    const { user } = planSteps[0] as Started
    const changed = planSteps.filter(({ before, after }) => before !== after)
    await writeWanted(db, changed, { at: now, source: 'start', user })
    await logStarts(db, changed, now)
  }
  const sent: SentPrices[] = []
  const senders = new Map(steps.filter(({ send }) => send).map(({ machineId, user }) => [machineId, user]))
  for (const userSenders of Map.groupBy(senders, ([, user]) => user.id).values()) {
    const [, user] = userSenders[0] as [string, Started['user']]
    const toSend = userSenders.map(([machineId]) => machineId)
    sent.push(...(await sendWantedPrices(db, toSend, { ...user, at: now })))
  }
  return {
    started: [...new Set(steps.map(({ machineId }) => machineId))].map((machineId) => ({ merchantId, machineId })),
    sent: sent.flatMap(({ commandId, machineId }) => (commandId === null ? [] : { merchantId, machineId })),
  }
}

const keyOf = (row: { machine_id: string; selection: string; price_table: number }) =>
  `${row.machine_id} ${row.price_table} ${row.selection}`

/** Marks due prices as started, in the order of their plans; a second worker and a cancelled plan find none. */
async function takeDue(db: TenantDb, merchantId: string, machineIds: readonly string[], now: Date): Promise<Started[]> {
  const due = await db.query
    .updateTable('planned_prices')
    .set({ status: 'started' })
    .where(db.narrow('planned_prices'))
    .where(sql<boolean>`planned_prices.machine_id = any(${machineIds}::uuid[])`)
    .where('status', '=', 'planned')
    .where('starts_at', '<=', now)
    .returningAll()
    .execute()
  if (due.length === 0) return []
  const plans = await db
    .from('price_plans')
    .where('price_plans.merchant_id', '=', merchantId)
    .where(sql<boolean>`price_plans.id = any(${[...new Set(due.map((row) => row.plan_id))]}::uuid[])`)
    .select(['id', 'send', 'created_by', 'created_by_name'])
    .execute()
  const planOf = new Map(plans.map((plan) => [plan.id, plan]))
  const rows = await db
    .from('machine_prices')
    .where(sql<boolean>`machine_prices.machine_id = any(${machineIds}::uuid[])`)
    .where('wanted', 'is not', null)
    .select(['machine_id', 'selection', 'price_table', 'wanted'])
    .execute()
  const wantedPrices = new Map(rows.map((row) => [keyOf(row), row.wanted]))
  const inOrder = due.toSorted(
    (one, other) => one.starts_at.getTime() - other.starts_at.getTime() || (one.plan_id < other.plan_id ? -1 : 1),
  )
  return inOrder.map((row) => {
    const before = wantedPrices.get(keyOf(row)) ?? null
    wantedPrices.set(keyOf(row), row.price)
    const plan = planOf.get(row.plan_id)
    return {
      merchantId: row.merchant_id,
      machineId: row.machine_id,
      selection: row.selection,
      priceTable: row.price_table,
      before,
      after: row.price,
      planId: row.plan_id,
      send: plan?.send ?? false,
      user: { id: plan?.created_by ?? noUser, name: plan?.created_by_name ?? '' },
    }
  })
}
const noUser = '00000000-0000-0000-0000-000000000000'

const logStarts = (db: TenantDb, steps: readonly Started[], now: Date) =>
  recordChanges(
    db,
    [...Map.groupBy(steps, ({ machineId }) => machineId).values()].map((machineSteps) => {
      const { merchantId, machineId, user } = machineSteps[0] as Started
      const lines = (price: 'before' | 'after') =>
        machineSteps.map((one) => ({ selection: one.selection, priceTable: one.priceTable, price: one[price] }))
      return {
        merchantId,
        at: now,
        user,
        action: 'price.update',
        subjectType: 'price',
        subjectId: machineId,
        before: { prices: lines('before') },
        after: { prices: lines('after') },
      }
    }),
  )
