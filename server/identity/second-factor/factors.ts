import { z } from 'zod'
import type { Doors, SystemDb } from '#database/frame/tenant.ts'
import { type Account, lockUser } from '#database/people/identity.ts'
import { findPrincipalById } from '#database/people/principal.ts'
import {
  appsOf,
  dropRecoveryCodes,
  type Factor,
  factorsOf,
  insertApp,
  logFactor,
  recoveryCodesLeft,
  removeFactor,
  renameFactor,
  saveRecoveryCodes,
  spendRecoveryCode,
  spendStep,
} from '#database/people/second-factor.ts'
import { roleWithin } from '#domain/people/lesser-role.ts'
import { isTooWeak, isUnderDeploymentRule, needsSecondFactor, type SignInProof } from '#domain/people/second-factor.ts'
import type { Vault } from '../../secrets/vault.ts'
import { codeLimits, mayGuess, wasRight } from '../attempts.ts'
import { hashOfRecoveryCode, newAppSecret, newRecoveryCodes, readCode, stepOfCode } from './codes.ts'
import { openPasskeys } from './passkeys.ts'
import { openSteps } from './steps.ts'

/** Maximum factors of a user. */
export const mostFactors = 10
export const longestFactorName = 60

const isUuid = (text: string) => z.uuid().safeParse(text).success

/** `used`: the right code of an app, but used already. */
export type CodeCheck = 'app' | 'recovery' | 'wrong' | 'used' | 'tooMany'

/** Where a code comes from. */
export interface Sender {
  address: string
  browser: string
}

interface FactorDeps {
  doors: Pick<Doors, 'withSystem'>
  vault: Vault
  /** Whether the deployment requires a second factor of super admins. */
  isForSuperAdmins: boolean
}

/** The users' second factors: authenticator apps, passkeys and recovery codes. */
export function openFactors({ doors, vault, isForSuperAdmins }: FactorDeps) {
  const { withSystem } = doors
  const steps = openSteps(doors)
  const passkeys = openPasskeys(doors, steps)

  /** Uses a code up; the app's is compared with all apps of the user. */
  async function spendCode(db: SystemDb, { id }: Account, text: string, now: Date): Promise<CodeCheck> {
    const code = readCode(text)
    if (!code) return 'wrong'
    if ('recovery' in code) {
      if (!(await spendRecoveryCode(db, id, hashOfRecoveryCode(id, code.recovery), now))) return 'wrong'
      await logFactor(db, id, now, 'recoveryCodeUsed', 'sign-in or change of second factors')
      return 'recovery'
    }
    let isKnown = false
    for (const app of await appsOf(db, id)) {
      const step = stepOfCode(vault.open(app.sealedSecret), code.app, now)
      if (step === undefined) continue
      if (await spendStep(db, app.id, step, now)) return 'app'
      isKnown = true
    }
    return isKnown ? 'used' : 'wrong'
  }

  /** The merchants' rules for a user, with the role that counts. */
  async function rulesOf(userId: string) {
    const record = await findPrincipalById(doors, userId)
    return record && { role: roleWithin(record.role, record.assigned), rules: record.secondFactorRules }
  }

  /** Whether a user may not sign in without a second factor. */
  async function isRequired(userId: string): Promise<boolean> {
    const found = await rulesOf(userId)
    if (!found) return false
    if (isUnderDeploymentRule(found.role)) return isForSuperAdmins
    return found.rules.some((rule) => needsSecondFactor(rule, found.role))
  }

  /** New recovery codes; earlier ones end. Only their hashes are stored. */
  async function renewCodes(db: SystemDb, userId: string, now: Date): Promise<string[]> {
    const codes = newRecoveryCodes()
    const hashes = codes.map((code) => hashOfRecoveryCode(userId, code))
    await saveRecoveryCodes(db, userId, hashes)
    await logFactor(db, userId, now, 'recoveryCodesMade', String(codes.length))
    return codes
  }

  /** Records a new factor. Undefined as long as the user has recovery codes. */
  async function added(db: SystemDb, userId: string, kind: string, name: string, now: Date) {
    await logFactor(db, userId, now, 'factorAdded', `${kind}: ${name}`)
    return (await recoveryCodesLeft(db, userId)) > 0 ? undefined : renewCodes(db, userId, now)
  }

  return {
    steps,
    passkeys,

    of: (userId: string): Promise<{ factors: Factor[]; codesLeft: number }> =>
      withSystem('identity', async (db) => ({
        factors: await factorsOf(db, userId),
        codesLeft: await recoveryCodesLeft(db, userId),
      })),

    isRequired,

    /** Whether a session has to sign in again, because its sign-in lacks a second factor that was required by then. */
    async isSessionTooWeak(userId: string, proof: SignInProof): Promise<boolean> {
      if (proof.hasSecondFactor) return false
      const found = await rulesOf(userId)
      if (!found) return false
      if (isUnderDeploymentRule(found.role)) return isForSuperAdmins
      return found.rules.some((rule) => isTooWeak(rule, found.role, proof))
    },

    /** Checks a code of an app, or a recovery code, and uses it up. Wrong codes are slowed like wrong passwords. */
    async checkCode(account: Account, text: string, { address, browser }: Sender, now: Date): Promise<CodeCheck> {
      const guess = { email: `second factor of ${account.id}`, address, browser, now }
      const place = await withSystem('identity', (db) => mayGuess(db, guess, codeLimits))
      if (!place) return 'tooMany'
      return withSystem('identity', async (db) => {
        const check = await spendCode(db, account, text, now)
        if (check === 'app' || check === 'recovery') await wasRight(db, guess, place)
        return check
      })
    },

    /** The secret for a new app: the one of an unfinished step, or a new one. */
    async appToAdd(step: string, account: Account): Promise<string> {
      const open = await steps.find('NewApp', step)
      if (open && open.accountId === account.subject) return vault.open(open.sealedSecret)
      const secret = newAppSecret()
      await steps.put('NewApp', step, { accountId: account.subject ?? '', sealedSecret: vault.seal(secret) })
      return secret
    },

    /**
     * Stores a new app after its first code. `codes`: recovery codes, when the user had none left. Undefined for a wrong code,
     * and when another request was first.
     */
    async addApp(
      step: string,
      account: Account,
      { code, name, now }: { code: string; name: string; now: Date },
    ): Promise<{ codes: string[] | undefined } | undefined> {
      const open = await steps.find('NewApp', step)
      const typed = readCode(code)
      if (!open || open.accountId !== account.subject || !typed || !('app' in typed)) return undefined
      const used = stepOfCode(vault.open(open.sealedSecret), typed.app, now)
      if (used === undefined || !(await steps.take('NewApp', step))) return undefined
      return withSystem('identity', async (db) => {
        await lockUser(db, account.id)
        if ((await factorsOf(db, account.id)).length >= mostFactors) return undefined
        await insertApp(db, { userId: account.id, name, sealedSecret: open.sealedSecret, step: used, now })
        return { codes: await added(db, account.id, 'app', name, now) }
      })
    },

    /** Stores a new passkey; see `addApp`. */
    async addPasskey(
      step: string,
      account: Account,
      answer: { origin: string; text: string; name: string; now: Date },
    ): Promise<{ codes: string[] | undefined } | undefined> {
      const own = await withSystem('identity', (db) => factorsOf(db, account.id))
      if (own.length >= mostFactors || !(await passkeys.add(step, account, answer))) return undefined
      return withSystem('identity', async (db) => ({
        codes: await added(db, account.id, 'passkey', answer.name, answer.now),
      }))
    },

    /** Renames a factor. False for any other id. */
    rename: async (userId: string, id: string, name: string): Promise<boolean> =>
      isUuid(id) && withSystem('identity', (db) => renameFactor(db, userId, id, name)),

    /** Removes a factor, unless it is the last one of a user who needs one. The recovery codes end with the last one. */
    async remove(userId: string, id: string, now: Date): Promise<{ removed: string } | 'required' | undefined> {
      const isNeeded = await isRequired(userId)
      return withSystem('identity', async (db) => {
        await lockUser(db, userId)
        const all = await factorsOf(db, userId)
        const factor = all.find((one) => one.id === id)
        if (!factor) return undefined
        if (all.length === 1 && isNeeded) return 'required'
        await removeFactor(db, userId, id)
        await logFactor(db, userId, now, 'factorRemoved', `${factor.kind}: ${factor.name}`)
        if (all.length === 1) await dropRecoveryCodes(db, userId)
        return { removed: factor.name }
      })
    },

    newCodes: (userId: string, now: Date): Promise<string[]> =>
      withSystem('identity', async (db) => {
        await lockUser(db, userId)
        return renewCodes(db, userId, now)
      }),
  }
}

export type Factors = ReturnType<typeof openFactors>
