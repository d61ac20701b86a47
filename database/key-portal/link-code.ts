import { sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'

/** Stores the code that a machine shows for a medium; an earlier one ends. */
export const saveLinkCode = (
  db: TenantDb,
  code: { merchantId: string; mediaId: string; posId: string; hash: string; now: Date; expiresAt: Date },
) => {
  const { merchantId, mediaId, posId, hash, now, expiresAt } = code
  return sql`insert into media_link_codes (merchant_id, media_id, code_hash, pos_id, created_at, expires_at)
    values (${merchantId}, ${mediaId}, ${hash}, ${posId}, ${now}, ${expiresAt})
    on conflict (merchant_id, media_id) do update set code_hash = excluded.code_hash, pos_id = excluded.pos_id,
      created_at = excluded.created_at, expires_at = excluded.expires_at, used_at = null`.execute(db.query)
}

/** Uses up the code of a medium. False: it is another one, was used, or has ended. */
export async function redeemLinkCode(
  db: TenantDb,
  { merchantId, mediaId, hash, now }: { merchantId: string; mediaId: string; hash: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`update media_link_codes set used_at = ${now}
    where merchant_id = ${merchantId} and media_id = ${mediaId} and code_hash = ${hash} and used_at is null and expires_at > ${now}
    returning media_id`.execute(db.query)
  return rows.length > 0
}
