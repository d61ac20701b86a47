import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../frame/conditions.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** The condition that the transactions `alias` are of some media, or of media of some customers. Always true without either. */
export async function ofMedias(
  db: TenantDb,
  alias: string,
  { mediaIds, customerIds }: { mediaIds?: string[] | undefined; customerIds?: string[] | undefined },
): Promise<RawBuilder<boolean>> {
  if (!mediaIds?.length && !customerIds?.length) return sql<boolean>`true`
  const { rows } = await sql<{ merchantId: string; serials: string[] }>`
    select media.merchant_id as "merchantId", array_agg(media.serial) as serials from medias media
    where ${db.narrow('medias', 'media')} and ${anyOf('media.id', mediaIds, 'uuid')}
      and ${anyOf('media.customer_id', customerIds, 'uuid')}
    group by media.merchant_id`.execute(db.query)
  if (rows.length === 0) return sql<boolean>`false`
  const parts = rows.map(
    ({ merchantId, serials }) => sql<boolean>`(${sql.ref(`${alias}.merchant_id`)} = ${merchantId}
      and ${sql.ref(`${alias}.media_serial`)} = any(${serials}::text[]))`,
  )
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}
