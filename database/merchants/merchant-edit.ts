import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { type MerchantFields, nothingSaid } from '#contract/merchants/merchant-edit.ts'
import { constraintOf } from '../frame/constraint.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** The fields of merchant_details, by column. */
const detailColumns = {
  legalName: 'legal_name',
  vatCode: 'vat_code',
  legalCountry: 'legal_country',
  legalStreet: 'legal_street',
  legalPostalCode: 'legal_postal_code',
  legalCity: 'legal_city',
  legalProvince: 'legal_province',
  contactName: 'contact_name',
  contactEmail: 'contact_email',
  sapCode: 'sap_code',
  defaultWarrantyMonths: 'default_warranty_months',
  extendedWarrantyMonths: 'extended_warranty_months',
  prepaid3Years: 'prepaid_3_years',
  webSocketUrl: 'web_socket_url',
  creditCardPaymentUrl: 'credit_card_payment_url',
  erpApiUrl: 'erp_api_url',
  erpTemperatureHistory: 'erp_temperature_history',
  erpSignalHistory: 'erp_signal_history',
  portalRecharge: 'portal_recharge',
  screenConfigurationManagement: 'screen_configuration',
  enrolmentWhitelistDays: 'enrolment_days',
  mobileApp: 'mobile_app',
  externalOcfService: 'ocf_service',
  creditBackup: 'credit_backup',
} as const satisfies Partial<Record<keyof MerchantFields, string>>
type DetailField = keyof typeof detailColumns
type Details = Pick<MerchantFields, DetailField>
const detailFields = Object.entries(detailColumns) as [DetailField, (typeof detailColumns)[DetailField]][]

/** A merchant without a row promises no warranty. */
const { webPortal: _webPortal, ...saidNothing } = nothingSaid
const withoutRow: Details = { ...saidNothing, defaultWarrantyMonths: 0 }

/** The details of a merchant. */
export async function detailsOf(db: TenantDb, merchantId: string): Promise<Details> {
  const row = await db
    .from('merchant_details')
    .where('merchant_details.merchant_id', '=', merchantId)
    .selectAll('merchant_details')
    .executeTakeFirst()
  if (!row) return withoutRow
  return Object.fromEntries(detailFields.map(([field, column]) => [field, row[column]])) as Details
}

const publicColumns = (merchant: MerchantFields) => ({
  name: merchant.name,
  country: merchant.country,
  language: merchant.language,
  time_zone: merchant.timeZone,
  currency: merchant.currency,
  is_demo: merchant.isDemo,
  demo_expires_on: merchant.isDemo ? merchant.demoExpiresOn : null,
  web_portal: merchant.webPortal,
})

/** With the portal switch of the merchant's row, for programs of 0.1.0 during an upgrade. */
const columnsOf = (merchant: MerchantFields) =>
  Object.fromEntries([
    ...detailFields.map(([field, column]) => [column, merchant[field]]),
    ['web_portal', merchant.webPortal],
  ]) as Record<string, never>

const nameTaken = (error: unknown): never => {
  if (constraintOf(error) === 'merchants_by_name') throw new ProductError('MerchantNameTaken')
  throw error
}

/** Inserts a merchant with all its rows, except the directory entry of its PIN. Throws MerchantNameTaken. */
export async function insertMerchant(db: TenantDb, id: string, merchant: MerchantFields, now: Date): Promise<void> {
  await db.query
    .insertInto('merchants')
    .values({ id, ...publicColumns(merchant), created_at: now })
    .execute()
    .catch(nameTaken)
  await db.query
    .insertInto('merchant_details')
    .values({ merchant_id: id, ...columnsOf(merchant) })
    .execute()
  await db.query.insertInto('merchant_features').values({ merchant_id: id }).execute()
}

/** The initial settings, with the sealed association PIN and the open checklist of the first steps. */
export const insertSettings = (db: TenantDb, merchantId: string, sealedPin: string) =>
  db.query
    .insertInto('merchant_settings')
    .values({ merchant_id: merchantId, pin_sealed: sealedPin, first_steps_closed_at: null })
    .execute()

/** Writes a merchant and increments its version. Throws MerchantNameTaken. */
export async function writeMerchant(db: TenantDb, id: string, merchant: MerchantFields): Promise<void> {
  await db.query
    .updateTable('merchants')
    .set({ ...publicColumns(merchant), version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
    .catch(nameTaken)
  const details = columnsOf(merchant)
  await db.query
    .insertInto('merchant_details')
    .values({ merchant_id: id, ...details })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(details))
    .execute()
}

/** The version of a merchant, locked until the transaction ends. */
export const merchantToEdit = (db: TenantDb, id: string) =>
  db
    .from('merchants')
    .where('merchants.id', '=', id)
    .select(['merchants.version', 'merchants.currency', 'merchants.time_zone'])
    .forNoKeyUpdate('merchants')
    .executeTakeFirst()

/** Whether rows depend on a merchant's time zone (`hours`) or on its currency. */
export async function storedBy(db: TenantDb, merchantId: string): Promise<{ hours: boolean; money: boolean }> {
  const any = (table: string) => sql`exists (select 1 from ${sql.table(table)} where merchant_id = ${merchantId}::uuid)`
  const { rows } = await sql<{ hours: boolean; money: boolean }>`
    select ${any('open_sales_hourly')} or ${any('cash_hourly')} or ${any('downtime_hourly')} or ${any('summed_days')} as hours,
      ${any('transactions')} or ${any('cash_readings')} or ${any('open_sales_hourly')} or ${any('packed_sales_days')} or ${any('cash_hourly')}
        or ${any('product_lots')} as money`.execute(db.query)
  return rows[0] ?? { hours: false, money: false }
}

/** The number of users assigned to a merchant. */
export const countUsers = (doors: Doors, merchantId: string): Promise<number> =>
  doors.withSystem(
    'merchant people',
    async (db) => {
      const { n } = await db
        .selectFrom('user_merchants')
        .where('merchant_id', '=', merchantId)
        .select(sql<number>`count(*)::int`.as('n'))
        .executeTakeFirstOrThrow()
      return n
    },
    'single statement',
  )

/** Users assigned to a merchant, and users who see every merchant. */
export const usersWhoSee = (doors: Doors, merchantId: string, everywhere: readonly string[]) =>
  doors.withSystem(
    'merchant people',
    async (db) => {
      const { rows } = await sql<{ id: string }>`
        select user_id as id from user_merchants where merchant_id = ${merchantId}::uuid
        union select id from users where role = any(${everywhere}::text[])`.execute(db)
      return rows.map(({ id }) => id)
    },
    'single statement',
  )
