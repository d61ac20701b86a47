import { type RawBuilder, sql } from 'kysely'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { countedMerchants, merchantOrdering } from '../merchants/merchant.ts'

/** A value per feature or family, by the name of its fact. */
const eachOf = <Kind extends 'feature' | 'family', Name extends string>(
  kind: Kind,
  names: readonly Name[],
  has: (name: Name) => RawBuilder<unknown>,
) =>
  Object.fromEntries(names.map((name) => [`${kind}.${name}`, has(name)])) as Record<
    `${Kind}.${Name}`,
    RawBuilder<unknown>
  >

/** Merchants of the deployment, filtered and sorted. */
export const merchantsSource: ExportSource<'merchants'> = {
  ...homeOf('merchants'),
  columns: columnsOf('merchants', {
    // Named like the columns for merchant and zone that files of several merchants get, so that they appear once.
    merchant: sql`merchants.name`,
    zone: sql`merchants.time_zone`,
    isDemo: sql`merchants.is_demo`,
    demoExpiresOn: sql`to_char(merchants.demo_expires_on, 'YYYY-MM-DD')`,
    legalName: sql`merchant_details.legal_name`,
    contactName: sql`merchant_details.contact_name`,
    contactEmail: sql`merchant_details.contact_email`,
    sapCode: sql`merchant_details.sap_code`,
    country: sql`merchants.country`,
    currency: sql`merchants.currency`,
    ...eachOf('feature', features, (name) => sql`coalesce(${name} = any(merchant_features.features), false)`),
    ...eachOf(
      'family',
      productFamilies,
      (name) => sql`coalesce(${name} = any(merchant_features.product_families), false)`,
    ),
    machines: sql`coalesce(counted.machines, 0)`,
    createdAt: sql`merchants.created_at`,
    id: sql`merchants.id`,
  }),
  open: async (db, order) => rowsOf(countedMerchants(db, order.filter).clearSelect(), merchantOrdering(order)),
}
