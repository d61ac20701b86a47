import { sql } from 'kysely'
import type { SystemDb } from '../frame/tenant.ts'
import { endLinks, lockUser } from './identity.ts'

/** The bound user, or the reason of the refusal. */
export type Binding = { userId: string } | { refused: 'unknown' | 'used' | 'expired' | 'taken' }

/**
 * Binds the user of an invitation link to a provider's subject, and ends the user's links. Only the link identifies the user, never an
 * e-mail address. Of two concurrent uses one succeeds; a subject of another user is `taken`, and the link stays valid.
 */
export async function bindByInvitation(
  db: SystemDb,
  { hash, issuer, subject, now }: { hash: string; issuer: string; subject: string; now: Date },
): Promise<Binding> {
  const linkOf = () =>
    db
      .selectFrom('identity_links')
      .innerJoin('users', 'users.id', 'identity_links.user_id')
      .select([
        'users.id as userId',
        'users.status',
        'identity_links.used_at as usedAt',
        'identity_links.expires_at as expiresAt',
      ])
      .where('identity_links.hash', '=', hash)
      .where('identity_links.purpose', '=', 'invitation')
      .executeTakeFirst()
  const current = await linkOf()
  if (!current) return { refused: 'unknown' }
  await lockUser(db, current.userId)
  const link = await linkOf()
  if (!link || link.status === 'suspended') return { refused: 'unknown' }
  if (link.usedAt) return { refused: 'used' }
  if (link.expiresAt <= now) return { refused: 'expired' }
  const { userId } = link
  // Locks the subject, so that it is bound to one user.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`.execute(db)
  const bound = await db
    .updateTable('users')
    .set({ issuer, subject, status: 'active' })
    .where('id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('users as other')
            .select('other.id')
            .where('other.issuer', '=', issuer)
            .where('other.subject', '=', subject)
            .where('other.id', '!=', userId),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst()
  if (!bound) return { refused: 'taken' }
  await endLinks(db, userId, now)
  return { userId }
}
