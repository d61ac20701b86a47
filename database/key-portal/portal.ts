import { sql } from 'kysely'
import type { PortalServices } from '#contract/key-portal/portal.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { merchantOfPortal } from './portal-directory.ts'
import { portalFilesOf, portalSettingsOf, type StoredPortal, type StoredPortalFile } from './portal-settings.ts'

/** The facts about a merchant that its portal shows. */
export interface PortalFacts {
  merchantId: string
  settings: StoredPortal
  files: StoredPortalFile[]
  currency: Currency
  timeZone: string
  services: PortalServices
}

/** A merchant's portal, published or not; undefined without settings. */
export async function portalFactsOf(db: TenantDb, merchantId: string): Promise<PortalFacts | undefined> {
  const settings = await portalSettingsOf(db, merchantId)
  return settings && portalFactsWith(db, merchantId, settings)
}

/** A merchant's portal as settings describe it, stored or not. */
export async function portalFactsWith(
  db: TenantDb,
  merchantId: string,
  settings: StoredPortal,
): Promise<PortalFacts | undefined> {
  const files = await portalFilesOf(db, [settings.logoId, settings.appLogoId, settings.ingredientsId])
  const { rows } = await sql<{
    currency: Currency
    timeZone: string
    media: boolean
    recharge: boolean
  }>`
    select merchants.currency, merchants.time_zone as "timeZone",
      coalesce('customerMedia' = any(able.features), false) as media,
      coalesce('customerMedia' = any(able.features) and 'webPayments' = any(able.features) and details.portal_recharge
        and exists (select 1 from web_payment_configs config where ${db.own('config')}
          and config.merchant_id = merchants.id and config.is_active), false) as recharge
    from merchants
    left join merchant_features able on ${db.own('able')} and able.merchant_id = merchants.id
    left join merchant_details details on ${db.own('details')} and details.merchant_id = merchants.id
    where ${db.narrow('merchants')} and merchants.id = ${merchantId}`.execute(db.query)
  const row = rows[0]
  if (!row) return undefined
  const { currency, timeZone, media, recharge } = row
  const services = { media, recharge, ingredients: settings.ingredientsId !== null }
  return { merchantId, settings, files, currency, timeZone, services }
}

/** Whether a merchant is a demo that has ended. */
const isOver = async (db: TenantDb, merchantId: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from merchants where ${db.narrow('merchants')} and merchants.id = ${merchantId}
    and is_demo and demo_expires_on < (now() at time zone time_zone)::date`.execute(db.query)
  return rows.length > 0
}

/** The published portal of an address; undefined for an unknown address, a hidden portal, and a demo that has ended. */
export async function publishedPortal(doors: Doors, slug: string): Promise<PortalFacts | undefined> {
  const merchantId = await merchantOfPortal(doors, slug)
  if (!merchantId) return undefined
  return doors.withTenant(
    [{ merchantId, groups: 'all' }],
    async (db) => {
      const facts = await portalFactsOf(db, merchantId)
      return facts?.settings.isPublished && !(await isOver(db, merchantId)) ? facts : undefined
    },
    'read',
  )
}
