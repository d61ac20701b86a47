import { sql } from 'kysely'
import type { auditOrds } from '#contract/audits/audit.ts'
import { Currency } from '#contract/vocabulary/world/currencies.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import { nearFirst } from '../frame/reach.ts'
import type { TenantDb } from '../frame/tenant.ts'

const listed = [
  'audits.id',
  'audits.merchant_id',
  'audits.machine_id',
  'audits.read_at',
  'audits.machine_time',
  'audits.origin',
  'audits.origin_word',
  'audits.port',
  'audits.crc',
  'audits.size',
  'audits.warnings',
  'audits.sales_total',
  'audits.vends_total',
  'audits.selections_total',
  'audits.currency',
  'merchants.currency as merchant_currency',
] as const

/** The currency of a reading's totals; null if the product does not know it. Old readings without one use the merchant's. */
export const readingCurrency = (row: { currency: string | null; merchant_currency: string }): Currency | null =>
  Currency.nullable()
    .catch(null)
    .parse(row.currency ?? row.merchant_currency)

/** A query on the audits of a machine. */
export const auditsOf = (db: TenantDb, machineId: string) =>
  db
    .from('audits')
    .innerJoin('merchants', 'merchants.id', 'audits.merchant_id')
    .where('audits.machine_id', '=', machineId)

type Ord = (typeof auditOrds)[number]

/** The order of audits; by default the last reading first. */
export const auditOrdering = orderOf<Ord>({
  by: {
    readAt: sql`audits.read_at`,
    origin: sql`audits.origin`,
    port: sql`audits.port`,
    crc: sql`audits.crc`,
    warnings: sql`audits.warnings`,
    salesTotal: sql`audits.sales_total`,
    vendsTotal: sql`audits.vends_total`,
    selectionsTotal: sql`audits.selections_total`,
    machineTime: sql`audits.machine_time`,
    size: sql`audits.size`,
  },
  first: 'readAt',
  falling: 'all',
  full: ['readAt'],
  ties: sql`audits.id desc`,
})

export const listAudits = (db: TenantDb, machineId: string, query: Page & Sorted<Ord>) =>
  pageOf(db, query, {
    matching: () => auditsOf(db, machineId),
    order: auditOrdering(query),
    select: (audits) => audits.select(listed),
  })

/** One audit with what was parsed, without its bytes. */
export const findAudit = (db: TenantDb, machineId: string, id: string) =>
  nearFirst(sql<Date>`audits.read_at`, id, (isThere) =>
    auditsOf(db, machineId)
      .where('audits.id', '=', id)
      .where(isThere)
      .select([...listed, 'audits.content'])
      .executeTakeFirst(),
  )

/** The bytes that the machine sent, and the file name for the download. */
export const findRawAudit = (db: TenantDb, machineId: string, id: string) =>
  nearFirst(sql<Date>`audits.read_at`, id, (isThere) =>
    auditsOf(db, machineId)
      .innerJoin('machines', (join) =>
        join.onRef('machines.merchant_id', '=', 'audits.merchant_id').onRef('machines.id', '=', 'audits.machine_id'),
      )
      .where('audits.id', '=', id)
      .where(isThere)
      .select(['audits.raw', 'audits.read_at', 'machines.serial'])
      .executeTakeFirst(),
  )
