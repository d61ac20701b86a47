import { type RawBuilder, sql } from 'kysely'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import { machineCount, merchantOrdering, merchantsMatching } from '../merchants/merchant.ts'
import type { FileColumn } from './column.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

const text = (heading: string, value: RawBuilder<unknown>) => ({ heading, kind: 'text', sql: value }) as const

/** A column for each thing that a merchant may use, since a file is sorted and filtered by columns. */
const eachOf = (names: readonly string[], kind: 'feature' | 'family', has: (name: string) => RawBuilder<unknown>) =>
  Object.fromEntries(
    names.map((name): [string, FileColumn] => [
      `${kind}.${name}`,
      { heading: `admin:${kind}.${name}.name`, kind: 'flag', sql: has(name) },
    ]),
  )

/** Merchants of the deployment, as filtered and sorted. */
export const merchantsSource: ExportSource<'merchants'> = {
  ...homeOf('merchants'),
  columns: {
    // By the names that a file of many merchants has for whose a row is and in which zone, so that they stand there once.
    name: { merchant: text('admin:column.name', sql`merchants.name`) },
    timeZone: { zone: text('admin:column.timeZone', sql`merchants.time_zone`) },
    isDemo: { isDemo: { heading: 'admin:demo', kind: 'flag', sql: sql`merchants.is_demo` } },
    demoExpiresOn: {
      demoExpiresOn: {
        heading: 'admin:column.demoExpiresOn',
        kind: 'plain',
        sql: sql`to_char(merchants.demo_expires_on, 'YYYY-MM-DD')`,
      },
    },
    legalName: { legalName: text('admin:column.legalName', sql`merchant_details.legal_name`) },
    contact: {
      contactName: text('merchant:field.contactName', sql`merchant_details.contact_name`),
      contactEmail: text('merchant:field.contactEmail', sql`merchant_details.contact_email`),
    },
    sapCode: { sapCode: text('admin:column.sapCode', sql`merchant_details.sap_code`) },
    country: { country: text('admin:column.country', sql`merchants.country`) },
    currency: { currency: text('admin:column.currency', sql`merchants.currency`) },
    features: eachOf(features, 'feature', (name) => sql`coalesce(${name} = any(merchant_features.features), false)`),
    families: eachOf(
      productFamilies,
      'family',
      (name) => sql`coalesce(${name} = any(merchant_features.product_families), false)`,
    ),
    machines: { machines: { heading: 'admin:column.machines', kind: 'number', sql: machineCount } },
    createdAt: { createdAt: { heading: 'admin:column.created', kind: 'instant', sql: sql`merchants.created_at` } },
    id: { id: { heading: 'admin:column.id', kind: 'plain', sql: sql`merchants.id` } },
  },
  open: async (db, order) => rowsOf(merchantsMatching(db, order.filter).clearSelect(), merchantOrdering(order)),
}
