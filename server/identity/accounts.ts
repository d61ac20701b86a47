import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { brokenPasswordRules, longestPassword } from '#contract/rules/password.ts'
import type { Doors, SystemDb } from '#database/frame/tenant.ts'
import {
  type Account,
  accountByEmail,
  accountById,
  accountBySubject,
  bindUser,
  countLinks,
  dropSessionsOf,
  embeddedIssuer,
  endLinks,
  endTokensOf,
  type LinkPurpose,
  lockUser,
  merchantNamesOf,
  saveLink,
  savePassword,
  useLink,
  userOfLink,
} from '#database/people/identity.ts'
import { endOtherSessions, endSessionAtProvider, endSessionsOfGrant, useSession } from '#database/people/session.ts'
import { type Guess, mayGuess, wasRight } from './attempts.ts'
import { hashPassword, isPassword } from './password.ts'

/** How long a link can be used. */
const lifetimeMs = { invitation: 7 * 24 * 3_600_000, reset: 3_600_000 } as const satisfies Record<LinkPurpose, number>
const resetsPerHour = 3
/** Longer texts are cut: the start identifies the browser. */
const longestUserAgent = 400

/** A wrong e-mail address and a wrong password get the same answer. */
export type SignIn = { account: Account } | { refused: 'wrong' | 'tooMany' }
export type PasswordChange = 'done' | 'wrong' | 'tooMany' | 'weak'
export type LinkUse = 'done' | 'ended' | 'weak'

/** The stored hash of a one-time link's token. */
export const hashOfLink = (token: string) => createHash('sha256').update(token).digest('base64url')

/** Whether a new password follows the rules and is short enough to be hashed. */
export const isAcceptable = (password: string) =>
  password.length <= longestPassword && brokenPasswordRules(password).length === 0

/** A new one-time link's token. The database stores only its hash. */
async function newLink(db: SystemDb, userId: string, purpose: LinkPurpose, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + lifetimeMs[purpose])
  await saveLink(db, { hash: hashOfLink(token), purpose, userId, now, expiresAt })
  return token
}

interface PasswordChangeRequest {
  email: string
  current: string
  next: string
  address: string
  browser?: string
  keepSession: string | undefined
  now: Date
}

interface LinkedPassword {
  token: string
  purpose: LinkPurpose
  now: Date
}

/** Checks a password outside any transaction: hashing is slow, and should not occupy a connection. */
async function checkPassword(
  { withSystem }: Pick<Doors, 'withSystem'>,
  guess: Guess & { password: string },
): Promise<SignIn> {
  const place = await withSystem('identity', (db) => mayGuess(db, guess))
  if (!place) return { refused: 'tooMany' }
  const account = await withSystem('identity', (db) => accountByEmail(db, guess.email))
  const password = guess.password.slice(0, longestPassword + 1)
  if (!(await isPassword(password, account?.passwordHash ?? undefined)) || !account) return { refused: 'wrong' }
  await withSystem('identity', (db) => wasRight(db, guess, place))
  return { account }
}

/** Saves the password of a link's user. Undefined when the user may not sign in. */
async function savePasswordOf(db: SystemDb, userId: string, { purpose, now }: LinkedPassword, hash: string) {
  const account = await accountById(db, userId)
  if (!account || account.status === 'suspended') return undefined
  const subject = account.subject ?? randomUUID()
  if (purpose === 'invitation') await bindUser(db, account.id, embeddedIssuer, subject)
  await savePassword(db, account.id, hash, now)
  await endLinks(db, account.id, now)
  await dropSessionsOf(db, subject)
  return endTokensOf(db, { id: account.id }, now)
}

/**
 * The embedded provider's accounts: sign-in and passwords. `onRevoked` receives the user whose sessions ended,
 * after the commit.
 */
export function openAccounts(
  { withSystem }: Pick<Doors, 'withSystem'>,
  onRevoked: (userId: string) => void = () => undefined,
) {
  const tried = (guess: Guess & { password: string }) => checkPassword({ withSystem }, guess)

  return {
    signIn: tried,

    bySubject: (subject: string) => withSystem('identity', (db) => accountBySubject(db, subject)),

    /** The account of an active user of this provider. */
    async active(userId: string): Promise<Account | undefined> {
      const account = await withSystem('identity', (db) => accountById(db, userId))
      return account?.status === 'active' && account.subject ? account : undefined
    },

    /** Changes the user's own password after checking the current one. All other sessions of the user end. */
    async changePassword(change: PasswordChangeRequest): Promise<PasswordChange> {
      if (!isAcceptable(change.next)) return 'weak'
      const { email, address, browser, now } = change
      const result = await tried({ email, password: change.current, address, browser, now })
      if ('refused' in result) return result.refused
      const hash = await hashPassword(change.next)
      const { id, subject } = result.account
      await withSystem('identity', async (db) => {
        await savePassword(db, id, hash, now)
        await endLinks(db, id, now)
        if (subject) await dropSessionsOf(db, subject, change.keepSession)
        await endTokensOf(db, { id }, now)
      })
      onRevoked(id)
      return 'done'
    },

    /** A reset link for this address; undefined for an unknown address, or when too many were sent lately. */
    async requestReset(email: string, now: Date): Promise<{ account: Account; token: string } | undefined> {
      return withSystem('identity', async (db) => {
        const account = await accountByEmail(db, email)
        if (!account) return undefined
        await lockUser(db, account.id)
        const hourAgo = new Date(now.getTime() - 3_600_000)
        if ((await countLinks(db, account.id, 'reset', hourAgo)) >= resetsPerHour) return undefined
        return { account, token: await newLink(db, account.id, 'reset', now) }
      })
    },

    /** An invitation's token. Earlier invitations of the user end. Undefined for an unknown user. */
    async invite(
      userId: string,
      now: Date,
    ): Promise<{ account: Account; merchants: string[]; token: string } | undefined> {
      return withSystem('identity', async (db) => {
        await lockUser(db, userId)
        const account = await accountById(db, userId)
        if (!account) return undefined
        const merchants = await merchantNamesOf(db, userId)
        return { account, merchants, token: await newLink(db, userId, 'invitation', now) }
      })
    },

    /** The names of a user's merchants now. */
    merchantsOf: (userId: string) => withSystem('identity', (db) => merchantNamesOf(db, userId)),

    /** The account of a valid link. Reading does not use the link up, since mail scanners open links too. */
    async ownerOfLink(token: string, purpose: LinkPurpose, now: Date): Promise<Account | undefined> {
      return withSystem('identity', async (db) => {
        const userId = await userOfLink(db, hashOfLink(token), purpose, now)
        const account = userId ? await accountById(db, userId) : undefined
        return account?.status === 'suspended' ? undefined : account
      })
    },

    /** Sets a password by a link. The link works once, links an invited user to this provider, and ends all sessions. */
    async setPasswordByLink(use: LinkedPassword & { next: string }): Promise<LinkUse> {
      if (!isAcceptable(use.next)) return 'weak'
      const hash = await hashPassword(use.next)
      const changed = await withSystem('identity', async (db) => {
        const userId = await useLink(db, hashOfLink(use.token), use.purpose, use.now)
        return userId ? savePasswordOf(db, userId, use, hash) : undefined
      })
      if (!changed) return 'ended'
      onRevoked(changed)
      return 'done'
    },

    /**
     * Records the use of a session at this provider and returns the id for its tokens. An ended session gets an id that is
     * never valid.
     */
    async sessionUsed(use: {
      providerUid: string
      userId: string
      address: string
      userAgent: string
      now: Date
    }): Promise<string> {
      const knownUserId = await withSystem('identity', (db) =>
        useSession(db, { ...use, userAgent: use.userAgent.slice(0, longestUserAgent) }),
      )
      return knownUserId ?? randomUUID()
    },

    /** The user signed out at this provider: that session ends, other browsers stay signed in. */
    async signedOut(providerUid: string): Promise<void> {
      const userId = await withSystem('identity', (db) => endSessionAtProvider(db, providerUid))
      if (userId) onRevoked(userId)
    },

    /** A code or refresh token was used twice, so somebody else may have it: its session ends, with the tokens that were issued in it. */
    async grantRevoked(clientId: string, grantId: string): Promise<void> {
      for (const userId of await withSystem('identity', (db) => endSessionsOfGrant(db, clientId, grantId)))
        onRevoked(userId)
    },

    /** Ends all sessions of a user but this one at the provider. */
    async endOthers({ id, subject }: Account, providerUid: string): Promise<void> {
      if (subject) await withSystem('identity', (db) => endOtherSessions(db, subject, providerUid))
      onRevoked(id)
    },

    /** Sets a user's password directly by its hash, for the demo and for tests. */
    givePassword(userId: string, hash: string, now: Date): Promise<string> {
      return withSystem('identity', async (db) => {
        const subject = (await accountById(db, userId))?.subject ?? randomUUID()
        await bindUser(db, userId, embeddedIssuer, subject)
        await savePassword(db, userId, hash, now)
        return subject
      })
    },
  }
}

export type Accounts = ReturnType<typeof openAccounts>
