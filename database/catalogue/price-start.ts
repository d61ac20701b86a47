import { sql } from 'kysely'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { lockJournals } from '../ingest/journal.ts'
import { recordChanges } from '../platform/change-log.ts'
import { type PriceStep, writeWanted } from './price-edit.ts'
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
  const steps = (await takeDue(db, machineIds, now)).filter(({ machineId }) => locked.has(machineId))
  const sent: SentPrices[] = []
  for (const own of Map.groupBy(steps, ({ user }) => user.id).values()) {
    const { user } = own[0] as Started
    const changed = own.filter(({ before, after }) => before !== after)
    await writeWanted(db, changed, { at: now, source: 'start', user })
    await logStarts(db, changed, now)
    const toSend = [...new Set(own.filter(({ send }) => send).map(({ machineId }) => machineId))]
    if (toSend.length > 0) sent.push(...(await sendWantedPrices(db, toSend, { ...user, at: now })))
  }
  return {
    started: [...new Set(steps.map(({ machineId }) => machineId))].map((machineId) => ({ merchantId, machineId })),
    sent: sent.flatMap(({ commandId, machineId }) => (commandId === null ? [] : { merchantId, machineId })),
  }
}

/** Takes due prices out of the plan; a second worker finds none. */
async function takeDue(db: TenantDb, machineIds: readonly string[], now: Date): Promise<Started[]> {
  const taken = await db.query
    .deleteFrom('planned_prices')
    .where(db.narrow('planned_prices'))
    .where(sql<boolean>`planned_prices.machine_id = any(${machineIds}::uuid[])`)
    .where('starts_at', '<=', now)
    .returningAll()
    .execute()
  if (taken.length === 0) return []
  const rows = await db
    .from('machine_prices')
    .where(sql<boolean>`machine_prices.machine_id = any(${machineIds}::uuid[])`)
    .where('wanted', 'is not', null)
    .select(['machine_id', 'selection', 'price_table', 'wanted'])
    .execute()
  const keyOf = (row: { machine_id: string; selection: string; price_table: number }) =>
    `${row.machine_id} ${row.price_table} ${row.selection}`
  const wanted = new Map(rows.map((row) => [keyOf(row), row.wanted]))
  return taken.map((row) => ({
    merchantId: row.merchant_id,
    machineId: row.machine_id,
    selection: row.selection,
    priceTable: row.price_table,
    before: wanted.get(keyOf(row)) ?? null,
    after: row.price,
    send: row.send,
    user: { id: row.planned_by ?? noUser, name: row.planned_by_name ?? '' },
  }))
}
const noUser = '00000000-0000-0000-0000-000000000000'

const logStarts = (db: TenantDb, steps: readonly Started[], now: Date) =>
  recordChanges(
    db,
    [...Map.groupBy(steps, ({ machineId }) => machineId).values()].map((own) => {
      const { merchantId, machineId, user } = own[0] as Started
      const lines = (price: 'before' | 'after') =>
        own.map((one) => ({ selection: one.selection, priceTable: one.priceTable, price: one[price] }))
      return {
        ...{ merchantId, at: now, user, action: 'price.update', subjectType: 'price', subjectId: machineId },
        ...{ before: { prices: lines('before') }, after: { prices: lines('after') } },
      }
    }),
  )
