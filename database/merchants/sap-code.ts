import { type RawBuilder, sql } from 'kysely'
import type { SapCodeFilters, sapCodeOrds } from '#contract/merchants/sap-code.ts'
import { countUpTo, offsetOf, type Page } from '../frame/paging.ts'
import type { TenantDb } from '../frame/tenant.ts'

const ordColumns = {
  code: sql`lower(key_sap_codes.code)`,
  description: sql`lower(key_sap_codes.description)`,
  createdAt: sql`key_sap_codes.created_at`,
} satisfies Record<(typeof sapCodeOrds)[number], RawBuilder<unknown>>

interface Order {
  ord?: keyof typeof ordColumns | undefined
  ordType?: 'ASC' | 'DESC' | undefined
}

/** The SAP codes that match, to be asked for as often as they are needed. */
export const sapCodesMatching =
  (db: TenantDb, { search }: SapCodeFilters) =>
  () =>
    db
      .from('key_sap_codes')
      .where(
        search === undefined
          ? sql<boolean>`true`
          : sql<boolean>`strpos(lower(key_sap_codes.code || ' ' || key_sap_codes.description), lower(${search})) > 0`,
      )

/** By code unless told otherwise. */
export const sapCodeOrdering = ({ ord = 'code', ordType = 'ASC' }: Order) =>
  sql`${ordColumns[ord]} ${sql.raw(ordType)}, key_sap_codes.id`

/** A page of the SAP codes of keys, and how many there are. */
export async function listSapCodes(db: TenantDb, filters: SapCodeFilters & Page & Order) {
  const matching = sapCodesMatching(db, filters)
  const counted = await countUpTo(db, matching())
  const rows = await matching()
    .selectAll('key_sap_codes')
    .orderBy(sapCodeOrdering(filters))
    .limit(filters.size)
    .offset(offsetOf(filters))
    .execute()
  return { rows, ...counted }
}

export const findSapCode = (db: TenantDb, id: string) =>
  db.from('key_sap_codes').where('key_sap_codes.id', '=', id).selectAll('key_sap_codes').executeTakeFirst()
export type SapCodeRecord = Awaited<ReturnType<typeof findSapCode>> & object
