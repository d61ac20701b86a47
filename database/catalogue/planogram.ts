import { sql } from 'kysely'
import {
  mostPlanogramBlockers,
  type PlanogramBlockers,
  type PlanogramLine,
  type PricesByTable,
} from '#contract/catalogue/planogram.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Machines of the scope with a planogram, including hidden ones. */
const machinesWith = (
  db: TenantDb,
) => sql`machines m where m.merchant_id = planograms.merchant_id and m.planogram_id = planograms.id
  and ${db.narrow('machines', 'm')}`

const linesOf = (db: TenantDb) => sql`planogram_lines line where ${db.own('line')}
  and line.merchant_id = planograms.merchant_id and line.planogram_id = planograms.id`

export const planogramList = recordList({
  list: 'planograms',
  table: 'planograms',
  sums: { of: ['machines'] },
  where: (db, { planogramTypes, hasMachines, productId }) => [
    anyOf('planograms.planogram_type', planogramTypes, 'text'),
    when(hasMachines, (expected) => sql<boolean>`exists (select 1 from ${machinesWith(db)}) = ${expected}`),
    when(productId, (id) => sql<boolean>`exists (select 1 from ${linesOf(db)} and line.product_id = ${id}::uuid)`),
  ],
  beside: {
    currency: () => sql<Currency>`merchants.currency`,
    selections: (db: TenantDb) => sql<number>`(select count(*)::int from ${linesOf(db)})`,
    products: (db: TenantDb) => sql<number>`(select count(distinct line.product_id)::int from ${linesOf(db)})`,
    machines: (db: TenantDb) => sql<number>`(select count(*)::int from ${machinesWith(db)})`,
  },
})

/** The selections of a planogram in their order. */
export const planogramLines = async (db: TenantDb, { merchant_id, id }: RecordKey): Promise<PlanogramLine[]> =>
  (await linesOfPlanograms(db, merchant_id, [id])).get(id) ?? []

/** The selections of planograms of a merchant, in their order. */
export async function linesOfPlanograms(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, PlanogramLine[]>> {
  const rows = await db
    .from('planogram_lines')
    .where('merchant_id', '=', merchantId)
    .where(sql<boolean>`planogram_id = any(${ids}::uuid[])`)
    .select(['planogram_id', 'selection', 'product_id', 'capacity', 'warning_level', 'refill_value', 'prices'])
    .orderBy('planogram_id')
    .orderBy('position')
    .execute()
  const lines = new Map<string, PlanogramLine[]>()
  for (const { planogram_id, selection, product_id, capacity, warning_level, refill_value, prices } of rows) {
    const line = {
      selection,
      productId: product_id,
      capacity,
      warningLevel: warning_level,
      refillValue: refill_value,
      prices: prices as PricesByTable,
    }
    const existing = lines.get(planogram_id)
    if (existing) existing.push(line)
    else lines.set(planogram_id, [line])
  }
  return lines
}

/** One planogram with its selections; undefined outside the scope. */
export async function findPlanogram(db: TenantDb, id: string) {
  const row = await planogramList.find(db, id)
  return row && { ...row, lines: await planogramLines(db, row) }
}

const lineColumns = [
  'merchant_id',
  'planogram_id',
  'selection',
  'position',
  'product_id',
  'capacity',
  'warning_level',
  'refill_value',
  'prices',
]

/** Replaces the selections of a planogram. A product of another merchant, or one deleted meanwhile, violates a foreign key. */
export const writePlanogramLines = (
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  lines: readonly PlanogramLine[],
): Promise<void> => writeLinesOfPlanograms(db, merchant_id, [{ id, lines }])

/** The same for many planograms of a merchant. */
export async function writeLinesOfPlanograms(
  db: TenantDb,
  merchantId: string,
  planograms: readonly { id: string; lines: readonly PlanogramLine[] }[],
): Promise<void> {
  await db.query
    .deleteFrom('planogram_lines')
    .where(db.narrow('planogram_lines'))
    .where('merchant_id', '=', merchantId)
    .where(sql<boolean>`planogram_id = any(${planograms.map(({ id }) => id)}::uuid[])`)
    .execute()
  const rows = planograms.flatMap(({ id, lines }) =>
    lines.map((line, position) => [
      merchantId,
      id,
      line.selection,
      position,
      line.productId,
      line.capacity,
      line.warningLevel,
      line.refillValue,
      JSON.stringify(line.prices),
    ]),
  )
  if (rows.length > 0) await insertRows(db.query, 'planogram_lines', lineColumns, rows, '')
}

/** Machines that block the deletion of a planogram, if any. Machines outside the scope are reported as existing only. */
export async function machinesWithPlanogram(
  db: TenantDb,
  planogram: RecordKey,
): Promise<PlanogramBlockers | undefined> {
  const rows = await db
    .from('machines')
    .where('machines.merchant_id', '=', planogram.merchant_id)
    .where('machines.planogram_id', '=', planogram.id)
    .select(['machines.id', 'machines.name', sql<number>`(count(*) over ())::int`.as('n')])
    .orderBy('machines.name')
    .limit(mostPlanogramBlockers)
    .execute()
  const machines = rows[0]?.n ?? 0
  const { all } = await db.query
    .selectFrom('machines')
    .where('machines.merchant_id', '=', planogram.merchant_id)
    .where('machines.planogram_id', '=', planogram.id)
    .where('machines.deleted_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('all'))
    .executeTakeFirstOrThrow()
  if (all === 0) return undefined
  return { machines, firstMachines: rows.map(({ id, name }) => ({ id, name })), hasOthers: all > machines }
}
