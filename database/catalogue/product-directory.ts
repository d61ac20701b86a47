import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import { type TenantDb, withinScope } from '../frame/tenant.ts'

/** A product as a machine names it. */
export interface SeenCode {
  merchantId: string
  machineId: string
  /** The machine's group; null without one. */
  groupId: string | null
  /** The name that the machine sent, otherwise its code. */
  code: string
  /** The code that it sent beside the name. */
  machineCode: string | null
}

/** Longer names are only in audits, and no sums are kept by them. */
const longestCode = 80
/** So many codes are remembered in a process; the oldest are forgotten, and found again in the database. */
const mostKnown = 50_000
const notedCodes = new Set<string>()

const keyOf = ({ merchantId, groupId, code }: SeenCode) => `${merchantId} ${groupId} ${code}`

function remember(codes: readonly SeenCode[]): void {
  for (const code of codes) notedCodes.add(keyOf(code))
  for (const oldest of notedCodes) {
    if (notedCodes.size <= mostKnown) return
    notedCodes.delete(oldest)
  }
}

/**
 * Adds product codes that machines of a group use for the first time, and maps each to the product of an equal code, ignoring case. Known
 * codes cost no statement. Runs last in a transaction, since other transactions with the same codes wait for its end. Returns merchants with new codes.
 */
export async function noteProductCodes(db: TenantDb, reportedCodes: readonly SeenCode[], now: Date): Promise<string[]> {
  const fresh = new Map<string, SeenCode>()
  for (const code of reportedCodes) {
    const key = keyOf(code)
    const isSound = code.code !== '' && code.code.length <= longestCode
    if (isSound && !notedCodes.has(key) && !fresh.has(key)) fresh.set(key, code)
  }
  if (fresh.size === 0) return []
  // All transactions insert in this order, which avoids deadlocks.
  const byCode = Map.groupBy(fresh.values(), ({ merchantId, code }) => `${merchantId} ${code}`)
  const codes = [...byCode].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, ofCode]) => ofCode)
  const ids = codes.map(() => randomUUIDv7())
  await insertRows(
    db.query,
    'product_codes',
    ['merchant_id', 'id', 'code', 'machine_code', 'first_seen_at', 'seen_at_machine', 'seen_in_groups'],
    codes.map((ofCode, at) => {
      const [one] = ofCode
      const groups = ofCode.flatMap(({ groupId }) => groupId ?? [])
      return [one?.merchantId, ids[at], one?.code, one?.machineCode, now, one?.machineId, groups]
    }),
    `on conflict (merchant_id, code) do update set seen_in_groups = product_codes.seen_in_groups || excluded.seen_in_groups
      where not product_codes.seen_in_groups @> excluded.seen_in_groups`,
  )
  db.afterCommit(() => remember([...fresh.values()]))
  const added = await db
    .from('product_codes')
    .where(sql<boolean>`product_codes.id = any(${ids}::uuid[])`)
    .select('product_codes.merchant_id')
    .distinct()
    .execute()
  const merchants = added.map(({ merchant_id }) => merchant_id).sort()
  for (const merchantId of merchants) await mapNew(db, merchantId, ids)
  return merchants
}

/** Maps new codes of a merchant. The products are locked first, so that a product in deletion takes no code. */
async function mapNew(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<void> {
  const merchantDb = withinScope(db, [{ merchantId, groups: 'all' }])
  const { rows } = await sql<{ code: string; product: string }>`
    select product_codes.id as code, products.id as product from product_codes
    join products on ${merchantDb.own('products')}
      and lower(products.code) in (lower(product_codes.code), lower(product_codes.machine_code))
    where ${merchantDb.own('product_codes')} and product_codes.id = any(${ids}::uuid[])`.execute(db.query)
  if (rows.length === 0) return
  const existing = await merchantDb
    .from('products')
    .where(sql<boolean>`products.id = any(${rows.map(({ product }) => product)}::uuid[])`)
    .select('products.id')
    .orderBy('products.id')
    .forKeyShare('products')
    .execute()
  for (const { code, product } of rows) {
    if (!existing.some(({ id }) => id === product)) continue
    await db.query
      .updateTable('product_codes')
      .set({ product_id: product })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', code)
      .where('product_id', 'is', null)
      .execute()
  }
}
