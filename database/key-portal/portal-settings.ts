import { sql } from 'kysely'
import type { PortalFileUse, PortalTexts } from '#contract/key-portal/portal-settings.ts'
import type { RecordKey } from '../frame/records.ts'
import { writtenJson } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Where the bytes of a portal's file are in the blob store. */
export const portalBlob = (merchantId: string, fileId: string) => `portal/${merchantId}/${fileId}`

export interface StoredPortal {
  slug: string
  name: string
  website: string | null
  colour: string
  theme: 0 | 1
  phone: string | null
  email: string | null
  contacts: PortalTexts
  privacy: PortalTexts
  logoId: string | null
  appLogoId: string | null
  ingredientsId: string | null
  isPublished: boolean
  version: number
}

/** The settings of a merchant's portal; locked until the transaction ends if they are to be changed. */
export async function portalSettingsOf(
  db: TenantDb,
  merchantId: string,
  access: 'read' | 'hold' = 'read',
): Promise<StoredPortal | undefined> {
  const row = await db
    .from('portal_settings')
    .where('portal_settings.merchant_id', '=', merchantId)
    .selectAll('portal_settings')
    .$if(access === 'hold', (query) => query.forUpdate('portal_settings'))
    .executeTakeFirst()
  return (
    row && {
      slug: row.slug,
      name: row.name,
      website: row.website,
      colour: row.colour,
      theme: row.theme as 0 | 1,
      phone: row.phone,
      email: row.email,
      contacts: writtenJson<PortalTexts>(row.contacts),
      privacy: writtenJson<PortalTexts>(row.privacy),
      logoId: row.logo_id,
      appLogoId: row.app_logo_id,
      ingredientsId: row.ingredients_id,
      isPublished: row.is_published,
      version: row.version,
    }
  )
}

/**
 * Stores settings of a version. False: another call has just stored the first ones.
 */
export async function writePortalSettings(
  db: TenantDb,
  merchantId: string,
  portal: StoredPortal,
  at: Date,
): Promise<boolean> {
  const columns = {
    slug: portal.slug,
    name: portal.name,
    website: portal.website,
    colour: portal.colour,
    theme: portal.theme,
    phone: portal.phone,
    email: portal.email,
    contacts: JSON.stringify(portal.contacts),
    privacy: JSON.stringify(portal.privacy),
    logo_id: portal.logoId,
    app_logo_id: portal.appLogoId,
    ingredients_id: portal.ingredientsId,
    is_published: portal.isPublished,
    version: portal.version,
    updated_at: at,
  }
  const { numInsertedOrUpdatedRows } = await db.query
    .insertInto('portal_settings')
    .values({ merchant_id: merchantId, ...columns })
    .onConflict((conflict) =>
      conflict.column('merchant_id').doUpdateSet(columns).where('portal_settings.version', '<', portal.version),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export interface StoredPortalFile extends RecordKey {
  use: PortalFileUse
  name: string
  type: 'png' | 'jpg' | 'pdf'
  bytes: number
  width: number | null
  height: number | null
  sha256: string
  created_at: Date
}

/** Files of the scope among some ids. */
export const portalFilesOf = async (db: TenantDb, ids: readonly (string | null)[]): Promise<StoredPortalFile[]> => {
  const fileIds = ids.filter((id) => id !== null)
  if (fileIds.length === 0) return []
  const rows = await db
    .from('portal_files')
    .where(sql<boolean>`portal_files.id = any(${fileIds}::uuid[])`)
    .selectAll('portal_files')
    .execute()
  return rows as StoredPortalFile[]
}

export const portalFileCount = async (db: TenantDb, merchantId: string): Promise<number> => {
  const { files } = await db
    .from('portal_files')
    .where('portal_files.merchant_id', '=', merchantId)
    .select(sql<number>`count(*)::int`.as('files'))
    .executeTakeFirstOrThrow()
  return files
}

export const insertPortalFile = (db: TenantDb, file: StoredPortalFile) =>
  db.query.insertInto('portal_files').values(file).execute()

/** Removes files that no settings use. Returns their ids. */
export async function dropUnusedFiles(db: TenantDb, merchantId: string, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`delete from portal_files file
    where ${db.own('file')} and file.merchant_id = ${merchantId} and file.created_at < ${before}
      and not exists (select 1 from portal_settings used where ${db.own('used')} and used.merchant_id = file.merchant_id
        and file.id in (used.logo_id, used.app_logo_id, used.ingredients_id))
    returning file.id`.execute(db.query)
  return rows.map(({ id }) => id)
}
