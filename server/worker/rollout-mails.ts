import { roleMay } from '#contract/access.ts'
import type { PrincipalRecord } from '#database/people/principal.ts'
import { findPrincipalById } from '#database/people/principal.ts'
import { scopeOf } from '#database/updates/rollout.ts'
import {
  clearNotice,
  findHalted,
  giveUpNotice,
  type Halted,
  holdNotice,
  markNoticed,
  retryNotice,
  rolloutsWithNotice,
  usersWhoResume,
  waitingNotices,
  writeNotices,
} from '#database/updates/rollout-notice.ts'
import { noticeRecipients } from '#domain/updates/halt-notice.ts'
import { isOwnRule } from '#domain/updates/rollout-control.ts'
import { principalOf } from '../http/scope.ts'
import { writeHaltLetter } from './halt-letter.ts'
import type { WatchDeps } from './watch.ts'

type Deps = Pick<WatchDeps, 'doors' | 'mail' | 'config'>

const wholeOf = (merchantId: string) => [{ merchantId, groups: 'all' as const }]

/** The user, if they may resume a rollout now: by role, and because they see all of its groups. */
async function deciderOf(
  doors: Deps['doors'],
  userId: string,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<PrincipalRecord | undefined> {
  const record = await findPrincipalById(doors, userId)
  if (record?.status !== 'active') return undefined
  const { role, scope } = principalOf(record, record.role)
  const pairs = scope.filter((pair) => pair.merchantId === merchantId)
  if (pairs.length === 0 || !roleMay(role, 'firmwareRule.write')) return undefined
  const groups = pairs.some((pair) => pair.groups === 'all') ? null : pairs.flatMap((pair) => pair.groups as string[])
  const halted = await doors.withTenant(pairs, (db) => findHalted(db, id), 'read')
  return halted && isOwnRule(scopeOf(halted), groups) ? record : undefined
}

/** Prepares the mails about halts that have none yet. */
async function planNotices({ doors }: Deps, at: Date): Promise<void> {
  for (const key of await rolloutsWithNotice(doors)) {
    const users = await usersWhoResume(doors, key.merchantId)
    const deciders: typeof users = []
    for (const user of users) if (await deciderOf(doors, user.id, key)) deciders.push(user)
    await doors.withTenant(wholeOf(key.merchantId), async (db) => {
      const halted = await findHalted(db, key.id, 'skip')
      if (halted) {
        const recipients = noticeRecipients(deciders, halted)
        await writeNotices(
          db,
          halted,
          recipients.map(({ id }) => id),
          at,
        )
      }
      await clearNotice(db, key)
    })
  }
}

const isSameHalt = (halted: Halted | undefined, at: Date): halted is Halted =>
  halted !== undefined && halted.haltedAt.getTime() === at.getTime()

/**
 * Mails users who may resume a halted rollout, once for each halt. A halt that has ended, and users who may not resume it now, get no mail.
 */
export async function mailHalts(deps: Deps, at: Date): Promise<void> {
  const { doors, mail, config } = deps
  await planNotices(deps, at)
  for (const notice of await waitingNotices(doors, at)) {
    const key = { merchantId: notice.merchant_id, id: notice.rollout_id }
    const reader = await deciderOf(doors, notice.user_id, key)
    await doors.withTenant(wholeOf(key.merchantId), async (db) => {
      if (!(await holdNotice(db, notice))) return
      const halted = await findHalted(db, key.id)
      if (!isSameHalt(halted, notice.halted_at)) return void (await giveUpNotice(db, notice, at, 'no longer so'))
      if (!reader) return void (await giveUpNotice(db, notice, at, 'no access'))
      try {
        await mail.send(writeHaltLetter({ ...halted, mailId: notice.mail_id }, reader, config.publicUrl))
      } catch (error) {
        return void (await retryNotice(db, notice, at, error))
      }
      await markNoticed(db, notice, at)
    })
  }
}
