import { type RawBuilder, sql } from 'kysely'
import {
  type ClientBlockers,
  type ClientFilters,
  type clientOrds,
  mostClientBlockers,
} from '#contract/merchants/client.ts'
import { anyOf } from '../frame/conditions.ts'
import { countUpTo, offsetOf, type Page } from '../frame/paging.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { searching } from '../frame/text-search.ts'

const ordColumns = {
  name: sql`lower(clients.name)`,
  code: sql`lower(clients.code)`,
  city: sql`lower(coalesce(clients.city, ''))`,
  createdAt: sql`clients.created_at`,
} satisfies Record<(typeof clientOrds)[number], RawBuilder<unknown>>

interface Order {
  ord?: (typeof clientOrds)[number] | undefined
  ordType?: 'ASC' | 'DESC' | undefined
}

/** Machines of the scope that stand at a client, hidden ones as well. */
const machinesAt = (
  db: TenantDb,
) => sql`machines m where m.merchant_id = clients.merchant_id and m.client_id = clients.id
  and ${db.narrow('machines', 'm')}`
/** How many these are, for a query on clients. */
export const machineCount = (db: TenantDb) => sql<number>`(select count(*)::int from ${machinesAt(db)})`

/** A query on the clients that match, to be made as often as it is needed, and how many there are where that is known. */
export async function clientsMatching(db: TenantDb, { search, countries, sectors, hasMachines }: ClientFilters) {
  const found = await searching(db, 'clients', search)
  const query = () => {
    const clients = db
      .from('clients')
      .where(anyOf('clients.country', countries, 'text'))
      .where(anyOf('clients.sector', sectors, 'text'))
      .where(found.where)
    if (hasMachines === undefined) return clients
    return clients.where(sql<boolean>`${sql.raw(hasMachines ? '' : 'not')} exists (select 1 from ${machinesAt(db)})`)
  }
  const isOnlyText = !countries?.length && !sectors?.length && hasMachines === undefined
  return { query, counted: isOnlyText ? found.counted : undefined }
}

/** By name unless asked otherwise. */
export const clientOrdering = ({ ord = 'name', ordType }: Order) => {
  const direction = sql.raw(ordType === 'DESC' ? 'desc' : 'asc')
  return sql`${ordColumns[ord]} ${direction}, clients.id ${direction}`
}

const withNeighbours = (db: TenantDb) =>
  db
    .from('clients')
    .innerJoin('merchants', 'merchants.id', 'clients.merchant_id')
    .selectAll('clients')
    .select(['merchants.name as merchant_name', 'merchants.time_zone', machineCount(db).as('machines')])
export type ClientRecord = Awaited<ReturnType<typeof findClient>> & object

/** A page of clients, and how many there are. */
export async function listClients(db: TenantDb, filters: ClientFilters, page: Page & Order) {
  const { query, counted = await countUpTo(db, query()) } = await clientsMatching(db, filters)
  const ids = await query()
    .select('clients.id')
    .orderBy(clientOrdering(page))
    .limit(page.size)
    .offset(offsetOf(page))
    .execute()
  const chosen = ids.map(({ id }) => id)
  const rows = await withNeighbours(db).where(sql<boolean>`clients.id = any(${chosen}::uuid[])`).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...counted, rows: chosen.map((id) => byId.get(id)).filter((row) => row !== undefined) }
}

/** One client with what stands beside it, or undefined when it is not in the scope. */
export const findClient = (db: TenantDb, id: string) =>
  withNeighbours(db).where('clients.id', '=', id).executeTakeFirst()

/** Machines that keep a client from being deleted, if any. Of those out of the scope it says no more than that there are some. */
export async function machinesAtClient(
  db: TenantDb,
  client: { merchant_id: string; id: string },
): Promise<ClientBlockers | undefined> {
  const rows = await db
    .from('machines')
    .where('machines.merchant_id', '=', client.merchant_id)
    .where('machines.client_id', '=', client.id)
    .select(['machines.id', 'machines.name', sql<number>`(count(*) over ())::int`.as('n')])
    .orderBy('machines.name')
    .limit(mostClientBlockers)
    .execute()
  const machines = rows[0]?.n ?? 0
  const { all } = await db.query
    .selectFrom('machines')
    .where('machines.merchant_id', '=', client.merchant_id)
    .where('machines.client_id', '=', client.id)
    .where('machines.deleted_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('all'))
    .executeTakeFirstOrThrow()
  if (all === 0) return undefined
  return { machines, firstMachines: rows.map(({ id, name }) => ({ id, name })), hasOthers: all > machines }
}
