import { randomBytes, randomUUID, scryptSync } from 'node:crypto'
import type { Doors } from '#database/frame/tenant.ts'
import { bindUser, embeddedIssuer, savePassword } from '#database/people/identity.ts'

/** A stored password with a cheap hash: hundreds of users and customers sign in during the tests. */
export function cheapHash(password: string): string {
  const cost = { N: 16, r: 8, p: 1 }
  const salt = randomBytes(16)
  const hash = scryptSync(password.normalize('NFKC'), salt, 32, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Gives a user a password at the embedded provider and returns the subject there. */
export async function givePassword(
  { withSystem }: Pick<Doors, 'withSystem'>,
  userId: string,
  password: string,
): Promise<string> {
  const subject = randomUUID()
  await withSystem('identity', async (db) => {
    await bindUser(db, userId, embeddedIssuer, subject)
    await savePassword(db, userId, cheapHash(password), new Date())
  })
  return subject
}
