import { sql } from 'kysely'
import { type ClientBlockers, mostClientBlockers } from '#contract/merchants/client.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Machines of the scope at a client, including hidden ones. */
const machinesAt = (
  db: TenantDb,
) => sql`machines m where m.merchant_id = clients.merchant_id and m.client_id = clients.id
  and ${db.narrow('machines', 'm')}`

export const clientList = recordList({
  list: 'clients',
  table: 'clients',
  sums: { of: ['machines'] },
  orders: {
    commission: sql`clients.commission_kind, coalesce(clients.commission_percent, clients.commission_per_vend)`,
  },
  where: (db, { countries, sectors, hasMachines, clientIds }) => [
    anyOf('clients.id', clientIds, 'uuid'),
    anyOf('clients.country', countries, 'text'),
    anyOf('clients.sector', sectors, 'text'),
    when(hasMachines, (expected) => sql<boolean>`exists (select 1 from ${machinesAt(db)}) = ${expected}`),
  ],
  // The value that the kind of commission has.
  file: {
    commissionPercent: sql`(case when clients.commission_kind = 'percent' then round(clients.commission_percent * 100) end)::bigint`,
    commissionPerVend: sql`case when clients.commission_kind = 'perVend' then clients.commission_per_vend end`,
  },
  beside: { machines: (db: TenantDb) => sql<number>`(select count(*)::int from ${machinesAt(db)})` },
})

/** Machines that block the deletion of a client, if any. Machines outside the scope are reported as existing only. */
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
