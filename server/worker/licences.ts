import type { LicenceStatus } from '#contract/vocabulary/licence.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { holdLicence, licenceList } from '#database/licences/licence.ts'
import {
  endClient,
  endedLicences,
  giveUpReminder,
  holdReminder,
  markReminded,
  planReminders,
  type ReminderKey,
  retryReminder,
  waitingReminders,
} from '#database/licences/licence-end.ts'
import { addLicenceEvents } from '#database/licences/licence-event.ts'
import { findPrincipalById } from '#database/people/principal.ts'
import { stepOf } from '#domain/licences/licence-step.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { principalOf } from '../http/scope.ts'
import { writeReminder, writeUserReminder } from '../licences/licence-letters.ts'
import { factsOf, takeStep } from '../licences/take-step.ts'
import type { WatchDeps } from './watch.ts'

type Deps = Pick<WatchDeps, 'doors' | 'live' | 'mail' | 'config'>

const wholeOf = (merchantId: string) => [{ merchantId, groups: 'all' as const }]

/** Ends licences whose last day is over, in their merchant's zone. */
export async function endLicences({ doors, live }: Pick<Deps, 'doors' | 'live'>, at: Date): Promise<void> {
  for (const key of await endedLicences(doors, at))
    await doors.withTenant(wholeOf(key.merchant_id), async (db) => {
      const licence = await holdLicence(db, key.id)
      const facts = licence && factsOf(licence)
      // Meanwhile another worker has ended it, or a user has prolonged it.
      if (!licence || !facts?.endsAt || facts.endsAt > at || 'refused' in stepOf(facts, 'expire', at)) return
      const change = { activated_at: null, link_hash: null, link_expires_at: null }
      await takeStep(db, licence, 'expire', { now: at, by: 'clock', change })
      db.afterCommit(() => live.announce(key.merchant_id, 'licence'))
    })
}

/** The user of a reminder; undefined if they may not see the licence now. */
async function readerOf(doors: Deps['doors'], { user_id, merchant_id, licence_id }: ReminderKey) {
  const record = await findPrincipalById(doors, user_id)
  if (!record || record.status !== 'active' || !userMay(record, 'license.write')) return undefined
  const scope = principalOf(record, record.role).scope.filter(({ merchantId }) => merchantId === merchant_id)
  if (scope.length === 0) return undefined
  const isSeen = await doors.withTenant(scope, (db) => licenceList.find(db, licence_id), 'read')
  return isSeen && record
}

/** Reminds end clients, and users who manage licences, of the end of licences, each with one mail. */
export async function remindOfEnds({ doors, live, mail, config }: Deps, at: Date): Promise<void> {
  await planReminders(doors, at)
  for (const key of await waitingReminders(doors, at))
    await doors.withTenant(wholeOf(key.merchant_id), async (db) => {
      const reminder = await holdReminder(db, key)
      if (!reminder) return
      const licence = await holdLicence(db, key.licence_id)
      const isTrue =
        licence?.expires_on === key.expires_on &&
        (licence.status === licenceStatuses.confirmed || licence.status === licenceStatuses.activated)
      if (!licence || !isTrue) return void (await giveUpReminder(db, reminder, at, 'no longer so'))
      const isForClient = reminder.user_id === endClient
      const reader = isForClient ? undefined : await readerOf(doors, reminder)
      if (!isForClient && !reader) return void (await giveUpReminder(db, reminder, at, 'no access'))
      const mailed = { ...licence, mailId: reminder.mail_id, days: reminder.days }
      try {
        await mail.send(reader ? writeUserReminder(mailed, reader, config.publicUrl) : writeReminder(mailed))
      } catch (error) {
        return void (await retryReminder(db, reminder, at, error))
      }
      await markReminded(db, reminder, at)
      if (!isForClient) return
      const status = licence.status as LicenceStatus
      const event = {
        act: 'remind',
        status,
        by: 'clock',
        posId: licence.machine_id,
        detail: `${reminder.days}`,
      } as const
      await addLicenceEvents(db, [{ licence, at, ...event }])
      db.afterCommit(() => live.announce(key.merchant_id, 'licence'))
    })
}
