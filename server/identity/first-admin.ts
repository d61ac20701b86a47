import type { Doors } from '#database/frame/tenant.ts'
import { firstAdminToInvite, oneAtATime } from '#database/people/first-admin.ts'
import type { Invitations } from './invitations.ts'

/**
 * Invites the configured first super admin by mail, until the deployment has a super admin. A failed mail is logged and
 * retried at the next start.
 */
export async function inviteFirstAdmin(deps: {
  email: string
  doors: Pick<Doors, 'withSystem'>
  invitations: Invitations
  log: { info: (facts: object, text: string) => void; error: (facts: object, text: string) => void }
}): Promise<void> {
  const { email, doors, invitations, log } = deps
  const invite = async () => {
    const id = await doors.withSystem('identity', (db) => firstAdminToInvite(db, email, new Date()))
    if (!id) return
    await invitations.send(id).then(
      () => log.info({ email }, 'The first super admin has been invited'),
      (error: unknown) => log.error({ err: error, email }, 'The first super admin could not be invited'),
    )
  }
  await doors.withSystem('identity', (db) => oneAtATime(db, invite))
}
