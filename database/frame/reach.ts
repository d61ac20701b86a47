import { sql } from 'kysely'
import { type IdName, idNameOf, type RecordIdName } from '#contract/frame/ids.ts'
import { type RecordNoun, recordNouns } from '#contract/frame/record-nouns.ts'
import { tableOfRecord } from './record-table.ts'
import type { NarrowedTable, ScopedTable, TenantDb } from './tenant.ts'

/** Ids of records, whose table is named after their noun. */
type OfRecord = RecordIdName<RecordNoun>
/** Nouns whose table has another name than their plural. */
type NamedElsewhere = {
  [Name in Exclude<IdName, OfRecord>]: Name extends `${infer Noun}Id`
    ? `${Noun}s` extends ScopedTable
      ? never
      : Name
    : Name
}[Exclude<IdName, OfRecord>]

/**
 * The table of a noun's ids: the noun in the plural, or the one named here. The tenant door narrows by group. `handler`: no tenant table;
 * the noun's own queries decide what the caller sees.
 */
const tableNamed = {
  posId: 'machines',
  pastPosId: 'machinesEver',
  commandId: 'remote_commands',
  stopId: 'round_stops',
  configId: 'configurations',
  productCodeId: 'product_codes',
  pricePlanId: 'price_plans',
  findingId: 'media_findings',
  tokenId: 'api_tokens',
  changeId: 'change_log',
  // Copies and documents are no files of users.
  screenFileId: 'screen_files',
  whitelistEntryId: 'whitelist_entries',
  dataRetrievalRequestId: 'data_retrieval_requests',
  orderId: 'handler',
  firmwareId: 'handler',
  userId: 'handler',
  sessionId: 'handler',
  viewId: 'handler',
  exportId: 'handler',
  letterId: 'handler',
  webPaymentServiceId: 'handler',
  portalFileId: 'portal_files',
  blogPostId: 'handler',
  blogFileId: 'handler',
  webPaymentOrderId: 'web_payment_orders',
} as const satisfies Record<NamedElsewhere, NarrowedTable | 'handler'>

const tableOfId = new Map<IdName, NarrowedTable | 'handler'>([
  ...recordNouns.map((noun) => [idNameOf(noun), tableOfRecord(noun)] as const),
  ...(Object.entries(tableNamed) as [NamedElsewhere, NarrowedTable | 'handler'][]),
])
/** The table of a noun's ids. */
export const tableOf = (name: IdName): NarrowedTable | 'handler' =>
  tableOfId.get(name) ?? (name.replace(/Id$/, 's') as ScopedTable)

/** Whether `outOfReach` checks ids of a noun; otherwise its handlers do. */
export const isLookedUp = (name: IdName): boolean => tableOf(name) !== 'handler'

/** Ids by their nouns. */
export type NamedIds = ReadonlyMap<IdName, ReadonlySet<string>>

/**
 * The first noun with an id outside the scope, whether unknown or of another merchant. One statement for all, with the same cost for both
 * cases.
 */
export async function outOfReach(db: TenantDb, named: NamedIds): Promise<IdName | undefined> {
  const lookedUp = [...named].filter(([name, ids]) => isLookedUp(name) && ids.size > 0)
  if (lookedUp.length === 0) return undefined
  const counts = lookedUp.map(([name, ids]) => {
    const table = tableOf(name) as NarrowedTable
    const from = sql.table(table === 'machinesEver' ? 'machines' : table)
    return sql`select ${name} as name, count(distinct wanted.id)::int as found from ${from} wanted
      where wanted.id = any(${[...ids]}::uuid[]) and ${db.narrow(table, 'wanted')}`
  })
  const { rows } = await sql<{ name: IdName; found: number }>`${sql.join(counts, sql` union all `)}`.execute(db.query)
  const counted = new Map(rows.map((row) => [row.name, row.found]))
  return lookedUp.find(([name, ids]) => (counted.get(name) ?? 0) < ids.size)?.[0]
}
