import { randomUUIDv7 } from 'node:crypto'
import { newKioskSecret } from '#server/kiosk/admit.ts'
import { hashOfSecret } from '#server/secrets/hash.ts'
import type { TestDatabase } from '../database.ts'

/** A wall display of a merchant, or of one of its groups, that a user has created; it ends in a month. */
export async function aKiosk(
  database: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  { creatorId, groupId = null }: { creatorId: string; groupId?: string | null },
): Promise<{ id: string; secret: string }> {
  const id = randomUUIDv7()
  const secret = newKioskSecret(merchantId)
  await database.admin(
    `insert into kiosks (merchant_id, id, name, shows, group_id, token_hash, last_day, created_at, created_by, created_by_name)
     values ($1, $2, $3, 'both', $4, $5, current_date + 30, now(), $6, 'Test')`,
    [merchantId, id, `Display ${id}`, groupId, hashOfSecret(secret), creatorId],
  )
  return { id, secret }
}

/** The headers of a display's calls. */
export const shownBy = (secret: string) => ({ authorization: `Bearer ${secret}` })
