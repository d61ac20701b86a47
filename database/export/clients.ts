import { type RawBuilder, sql } from 'kysely'
import { clientOrdering, clientsMatching, machineCount } from '../merchants/client.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

const text = (heading: string, column: RawBuilder<unknown>) => ({ heading, kind: 'text', sql: column }) as const

/** Clients, as filtered and sorted. */
export const clientsSource: ExportSource<'clients'> = {
  ...homeOf('merchants'),
  columns: {
    name: { name: text('client:field.name', sql`clients.name`) },
    code: { code: text('client:field.code', sql`clients.code`) },
    merchant: { merchant: text('client:column.merchant', sql`merchants.name`) },
    companyName: { companyName: text('client:field.companyName', sql`clients.company_name`) },
    sector: { sector: { heading: 'client:field.sector', kind: 'word', of: 'posSector', sql: sql`clients.sector` } },
    address: { address: text('client:column.address', sql`clients.address`) },
    zipCode: { zipCode: text('client:column.zipCode', sql`clients.zip_code`) },
    city: { city: text('client:column.city', sql`clients.city`) },
    province: { province: text('client:column.province', sql`clients.province`) },
    country: { country: text('client:filter.country', sql`clients.country`) },
    vatCode: { vatCode: text('client:field.vatCode', sql`clients.vat_code`) },
    contactName: { contactName: text('client:field.contactName', sql`clients.contact_name`) },
    contactEmail: { contactEmail: text('client:field.contactEmail', sql`clients.contact_email`) },
    phone: { phone: text('client:field.phone', sql`clients.phone`) },
    website: { website: text('client:field.website', sql`clients.website`) },
    machines: { machines: { heading: 'client:column.machines', kind: 'number', sql: sql`counted.machines` } },
    createdAt: { createdAt: { heading: 'client:column.created', kind: 'instant', sql: sql`clients.created_at` } },
    id: { id: { heading: 'client:column.id', kind: 'plain', sql: sql`clients.id` } },
  },
  open: async (db, order) => {
    const { query } = await clientsMatching(db, order.filter)
    // Of the machines of the reader's own groups, which a column of its own does not know.
    const counted = sql<{ machines: number }>`(select ${machineCount(db)} as machines)`.as('counted')
    return rowsOf(
      query()
        .innerJoin('merchants', 'merchants.id', 'clients.merchant_id')
        .innerJoinLateral(counted, (join) => join.onTrue()),
      clientOrdering(order),
    )
  },
}
