import { randomUUIDv7 } from 'node:crypto'
import { type ErrorCode, ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import { limits } from '#contract/frame/limits.ts'
import type { Membership, SavedUser, UpdateUser, userEdits } from '#contract/people/user-edit.ts'
import type { SystemDb } from '#database/frame/tenant.ts'
import { accountById, countLinks, dropSessionsOf, endLinks, endTokensOf } from '#database/people/identity.ts'
import { removeFactors } from '#database/people/second-factor.ts'
import {
  currentUser,
  findUser,
  hasAnotherSuperAdmin,
  holdGroups,
  insertUser,
  lastChangeOf,
  merchantsWithoutAnother,
  recordOfAdmin,
  recordUserChange,
  removeUser,
  type UserWithMemberships,
  userToEdit,
  writeMemberships,
  writeUser,
} from '#database/people/user-edit.ts'
import {
  type Changer,
  hasOtherRights,
  isProviders,
  leftBehind,
  normalised,
  refusedChange,
  refusedMaking,
  type UserFacts,
  withMemberships,
} from '#domain/people/user-edit.ts'
import type { Handlers, UserCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { makeLetters } from '#server/identity/letters.ts'
import { changerOf, refuseShared, visiblePerson } from './managed-user.ts'
import { presentUser } from './present-user.ts'

type Rows = Pick<
  typeof userEdits,
  | 'getUser'
  | 'createUser'
  | 'updateUser'
  | 'deleteUser'
  | 'associateUserGroup'
  | 'removeSecondFactors'
  | 'resendInvitation'
  | 'resendInvitationOfMerchant'
>

const refuse = (code: ErrorCode | undefined) => {
  if (code) throw new ProductError(code)
}

/** The facts for rules and logs, without names of merchants and groups. */
const factsOf = (person: UserWithMemberships): UserFacts => ({
  email: person.email,
  name: person.name,
  language: person.language,
  role: person.role,
  status: person.status,
  memberships: normalised(person.memberships),
  receiveNotifications: person.receiveNotifications,
  allowLicensing: person.allowLicensing,
  invisibleToMerchants: person.invisibleToMerchants,
})

/** A merchant keeps an admin, and the deployment a super admin. Two calls that remove the last two wait for each other. */
async function refuseLast(db: SystemDb, id: string, before: UserFacts, after: UserFacts | undefined): Promise<void> {
  const left = leftBehind(before, after)
  if (left.isSuperAdmin && !(await hasAnotherSuperAdmin(db, id))) throw new ProductError('LastSuperAdmin')
  if (left.merchantIds.length === 0) return
  const [bare] = await merchantsWithoutAnother(db, left.merchantIds, id)
  if (bare) throw new ProductError('LastMerchantAdmin', { merchant: bare.name })
}

/** Ends a user's sessions at the embedded provider and revokes all tokens issued so far. */
async function endSessions(db: SystemDb, { id, subject }: UserWithMemberships, now: Date): Promise<void> {
  await endLinks(db, id, now)
  if (subject) await dropSessionsOf(db, subject)
  await endTokensOf(db, { id }, now)
}

/** The status after an edit: a reactivated user is active or invited, as before the suspension. */
const statusAfter = (person: UserWithMemberships, isSuspended: boolean) => {
  if (isSuspended) return 'suspended'
  return person.status === 'suspended' ? (person.subject ? 'active' : 'invited') : person.status
}

/** A user after an edit; missing fields stay. */
const edited = (
  person: UserWithMemberships,
  body: UpdateUser,
  visibleMerchants: Changer['visibleMerchants'],
): UserFacts => ({
  email: body.email,
  name: body.name,
  language: body.language,
  role: body.role,
  status: statusAfter(person, body.isSuspended),
  memberships: withMemberships(person.memberships, body.merchants, visibleMerchants),
  receiveNotifications: body.receiveNotifications,
  allowLicensing: body.allowLicensing ?? person.allowLicensing,
  invisibleToMerchants: body.invisibleToMerchants ?? person.invisibleToMerchants,
})

const isSame = (a: UserFacts, b: UserFacts) => JSON.stringify(a) === JSON.stringify(b)

/** Mails the invitation after the commit. The user is saved even if the mail fails, and may be invited again. */
async function invited({ invitations }: UserCall, id: string): Promise<SavedUser['invitation']> {
  return invitations.send(id).then(
    () => 'sent' as const,
    (error: unknown) => {
      if (error instanceof ProductError && error.code === 'InvitationNotSent') return 'failed' as const
      throw error
    },
  )
}

async function store(db: SystemDb, before: UserWithMemberships, after: UserFacts, now: Date): Promise<void> {
  await writeUser(db, before.id, before.version, after)
  await writeMemberships(db, before.id, after.memberships)
  if (after.status === 'suspended' && before.status !== 'suspended') await endSessions(db, before, now)
  // The link mailed to the previous address stops working.
  else if (after.email !== before.email) await endLinks(db, before.id, now)
}

async function resend(call: UserCall, userId: string, merchantId?: string): Promise<undefined> {
  const { doors, user, now, invitations } = call
  const person = visiblePerson(await findUser(doors, userId), user)
  const isThere = person.memberships.some((one) => one.merchantId === merchantId)
  if (merchantId && !isThere) throw new ProductError('UserNotFound')
  if (isProviders(person.role) && !changerOf(user).isProvider) throw new ProductError('Forbidden')
  // Only invited users get a link: for others it would give access to any reader of the mail.
  if (person.status !== 'invited') throw new ProductError('UserNotInvited')
  const since = new Date(now.getTime() - limits.invitation.seconds * 1_000)
  const sent = await doors.withSystem('people', (db) => countLinks(db, userId, 'invitation', since), 'single statement')
  if (sent >= limits.invitation.most) throw new ProductError('TooManyRequests')
  await invitations.send(userId)
  return undefined
}

/** Users, as managed by others. */
export const userEditHandlers: Handlers<Rows> = {
  getUser: async ({ doors, user, params }) =>
    presentUser(visiblePerson(await findUser(doors, params.userId), user), user),

  createUser: async (call) => {
    const { doors, user, body, now } = call
    const made: UserFacts = {
      email: body.email,
      name: body.name,
      language: body.language,
      role: body.role,
      status: 'invited',
      memberships: normalised(body.merchants),
      receiveNotifications: body.receiveNotifications,
      allowLicensing: body.allowLicensing ?? false,
      invisibleToMerchants: body.invisibleToMerchants ?? false,
    }
    refuse(refusedMaking(changerOf(user), made))
    const id = randomUUIDv7()
    const person = await doors.withSystem('people', async (db) => {
      await holdGroups(db, made.memberships)
      await insertUser(db, id, made, now)
      await writeMemberships(db, id, made.memberships)
      await recordUserChange(db, { id, at: now, user, action: 'user.create', after: made })
      return currentUser(db, id)
    })
    const invitation = await invited(call, id)
    return { ...presentUser(visiblePerson(person, user), user), invitation }
  },

  updateUser: async (call) => {
    const { doors, user, params, body, now, live } = call
    const id = params.userId
    const by = changerOf(user)
    const { person, before, after } = await doors.withSystem('people', async (db) => {
      const person = visiblePerson(await userToEdit(db, id), user)
      const before = factsOf(person)
      const after = edited(person, body, by.visibleMerchants)
      if (body.version !== person.version && !isSame(before, after)) {
        const change = await lastChangeOf(db, id, by.visibleMerchants, seesInvisible(user))
        throw new ProductError('EditConflict', {
          current: presentUser(person, user),
          changedAt: toWireOrNull(change?.at ?? null),
          changedBy: change?.by ?? null,
        })
      }
      refuse(refusedChange(by, id, before, after, body.merchants))
      if (isSame(before, after)) return { person, before, after }
      await holdGroups(db, after.memberships)
      await refuseLast(db, id, before, after)
      await store(db, person, after, now)
      await recordUserChange(db, { id, at: now, user, action: 'user.update', before, after })
      return { person: await currentUser(db, id), before, after }
    })
    if (hasOtherRights(before, after)) live.announceUser(id)
    const invitation = before.email !== after.email ? await invited(call, id) : null
    return { ...presentUser(visiblePerson(person, user), user), invitation }
  },

  deleteUser: async ({ doors, user, params, now, live }) => {
    const id = params.userId
    const by = changerOf(user)
    await doors.withSystem('people', async (db) => {
      const person = visiblePerson(await userToEdit(db, id), user)
      const before = factsOf(person)
      if (!by.isProvider && isProviders(before.role)) throw new ProductError('Forbidden')
      if (id === user.id) throw new ProductError('OwnRights')
      const memberships: Membership[] = by.isProvider
        ? []
        : withMemberships(before.memberships, [], by.visibleMerchants)
      const after = memberships.length > 0 ? { ...before, memberships } : undefined
      await refuseLast(db, id, before, after)
      if (after) await store(db, person, after, now)
      else {
        await endSessions(db, person, now)
        await removeUser(db, id)
      }
      await recordUserChange(db, {
        id,
        at: now,
        user,
        action: after ? 'user.update' : 'user.delete',
        before,
        ...(after && { after }),
      })
    })
    live.announceUser(id)
    return undefined
  },

  associateUserGroup: async ({ doors, user, params, body, now, live }) => {
    const id = params.userId
    const by = changerOf(user)
    const group = await doors.withTenant(
      user.scope,
      (db) => db.from('groups').where('groups.id', '=', body.groupId).select('groups.merchant_id').executeTakeFirst(),
      'read',
    )
    const merchantId = group?.merchant_id
    const { person, isChanged } = await doors.withSystem('people', async (db) => {
      const person = visiblePerson(await userToEdit(db, id), user)
      if (!merchantId || (body.merchantId ?? merchantId) !== merchantId) throw new ProductError('GroupNotFound')
      const before = factsOf(person)
      const there = before.memberships.find((one) => one.merchantId === merchantId)
      const membership = {
        merchantId,
        allGroups: there?.allGroups ?? false,
        groupIds: there?.allGroups ? [] : [body.groupId],
      }
      const groupIds = [...(there?.groupIds ?? []), ...membership.groupIds]
      const memberships = normalised([
        ...before.memberships.filter((one) => one.merchantId !== merchantId),
        { ...membership, groupIds: [...new Set(groupIds)] },
      ])
      const after = { ...before, memberships }
      if (isSame(before, after)) return { person, isChanged: false }
      refuse(refusedChange(by, id, before, after, [membership]))
      await holdGroups(db, [membership])
      await store(db, person, after, now)
      await recordUserChange(db, { id, at: now, user, action: 'user.update', before, after })
      return { person: await currentUser(db, id), isChanged: true }
    })
    if (isChanged) live.announceUser(id)
    return presentUser(visiblePerson(person, user), user)
  },

  removeSecondFactors: async ({ doors, user, params, now, live, mail, config, request }) => {
    const id = params.userId
    const account = await doors.withSystem('people', async (db) => {
      const person = visiblePerson(await userToEdit(db, id), user)
      // One's own are changed on the provider's page, which asks for one of them.
      if (id === user.id) throw new ProductError('OwnRights')
      // They also protect merchants that the caller does not see.
      refuseShared(person, user)
      const removed = await removeFactors(db, id)
      if (removed === 0) throw new ProductError('SecondFactorNotFound')
      await recordOfAdmin(db, {
        at: now,
        user,
        person,
        action: 'user.removeSecondFactors',
        before: { secondFactors: removed },
        after: { secondFactors: 0 },
      })
      return accountById(db, id)
    })
    live.announceUser(id)
    const letters = makeLetters(config.publicUrl, mail)
    if (account)
      await letters
        .factorsRemoved(account, config.DEFAULT_LANGUAGE ?? 'en', now)
        .catch((error: unknown) => request.log.error({ err: error }, 'A mail could not be sent'))
    return undefined
  },

  resendInvitation: (call) => resend(call, call.params.userId),
  resendInvitationOfMerchant: (call) => resend(call, call.params.userId, call.params.merchantId),
}
