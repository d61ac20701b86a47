import { isIP } from 'node:net'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { Doors } from '#database/frame/tenant.ts'
import type { Account } from '#database/people/identity.ts'
import {
  insertPasskey,
  passkeyByCredential,
  passkeysOf,
  passkeyUsed,
  type StoredPasskey,
} from '#database/people/second-factor.ts'
import type { Steps } from './steps.ts'

/** The host that passkeys of an origin are bound to. Undefined for an IP address, to which browsers bind none. */
export function passkeyHost(origin: string): string | undefined {
  const host = new URL(origin).hostname
  return isIP(host.replace(/^\[|\]$/g, '')) ? undefined : host
}

/** EdDSA, ES256 and RS256, which authenticators have. */
const algorithms = [-8, -7, -257]

/** The account of a challenge until the passkey names its user. */
const anyone = ''

/** The parts of a browser's answer that we read ourselves; the library checks the others. */
const Answer = z.looseObject({
  id: z.string().max(1400),
  response: z.looseObject({ userHandle: z.string().optional() }),
})

/** A browser's answer as JSON; undefined for anything else. */
function answerOf(text: string): z.infer<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const handleOf = (userId: string) => Buffer.from(userId).toString('base64url')
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

/** Passkeys (WebAuthn). A challenge belongs to one step of one browser, and is used once. */
export function openPasskeys({ withSystem }: Pick<Doors, 'withSystem'>, steps: Steps) {
  /** Whether a signature is right. The authenticator's counter grows with it. */
  async function isSigned(
    passkey: StoredPasskey,
    answer: z.infer<typeof Answer>,
    expected: { challenge: string; origin: string; isUserVerified: boolean; now: Date },
  ): Promise<boolean> {
    const verification = await verifyAuthenticationResponse({
      response: answer as object as AuthenticationResponseJSON,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: passkey.host,
      requireUserVerification: expected.isUserVerified,
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: passkey.counter },
    }).catch(() => undefined)
    if (!verification?.verified) return false
    await withSystem('identity', (db) =>
      passkeyUsed(db, passkey.id, verification.authenticationInfo.newCounter, expected.now),
    )
    return true
  }

  return {
    /** What the browser needs to use one of the user's passkeys. Undefined when the user has none for this address. */
    async toProve(
      step: string,
      account: Account,
      origin: string,
    ): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
      const host = passkeyHost(origin)
      const own = host ? await withSystem('identity', (db) => passkeysOf(db, account.id, host)) : []
      if (!host || own.length === 0) return undefined
      const options = await generateAuthenticationOptions({
        rpID: host,
        allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
        userVerification: 'preferred',
      })
      await steps.put('Challenge', step, { accountId: account.subject ?? anyone, challenge: options.challenge })
      return options
    },

    /** Whether the browser's answer proves one of the user's passkeys. It ends the step's challenge. */
    async isProof(step: string, account: Account, origin: string, text: string, now: Date): Promise<boolean> {
      const challenge = await steps.take('Challenge', step)
      const host = passkeyHost(origin)
      const answer = answerOf(text)
      if (!answer || !host || !challenge || challenge.accountId !== (account.subject ?? anyone)) return false
      const own = await withSystem('identity', (db) => passkeysOf(db, account.id, host))
      const passkey = own.find(({ credentialId }) => credentialId === answer.id)
      const expected = { challenge: challenge.challenge, origin, isUserVerified: false, now }
      return passkey !== undefined && isSigned(passkey, answer, expected)
    },

    /** What the browser needs to sign anyone in who has a passkey here. Undefined where there are no passkeys. */
    async toEnter(step: string, origin: string): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
      const host = passkeyHost(origin)
      if (!host) return undefined
      const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required' })
      await steps.put('Challenge', step, { accountId: anyone, challenge: options.challenge })
      return options
    },

    /** The user whose passkey signs in without a password: its authenticator has verified the user. */
    async userOf(step: string, origin: string, text: string, now: Date): Promise<string | undefined> {
      const challenge = await steps.take('Challenge', step)
      const host = passkeyHost(origin)
      const answer = answerOf(text)
      if (!answer || !host || challenge?.accountId !== anyone) return undefined
      const passkey = await withSystem('identity', (db) => passkeyByCredential(db, answer.id))
      if (passkey?.host !== host || answer.response.userHandle !== handleOf(passkey.userId)) return undefined
      const expected = { challenge: challenge.challenge, origin, isUserVerified: true, now }
      return (await isSigned(passkey, answer, expected)) ? passkey.userId : undefined
    },

    /** What the browser needs to make a passkey for a user. Undefined where there are none. */
    async toAdd(
      step: string,
      account: Account,
      origin: string,
    ): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
      const host = passkeyHost(origin)
      if (!host) return undefined
      const own = await withSystem('identity', (db) => passkeysOf(db, account.id, host))
      const options = await generateRegistrationOptions({
        rpName: 'Gettone',
        rpID: host,
        userName: account.email,
        userDisplayName: account.name,
        userID: new Uint8Array(Buffer.from(account.id)),
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        excludeCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      })
      await steps.put('Challenge', step, { accountId: account.subject ?? anyone, challenge: options.challenge })
      return options
    },

    /** Stores the passkey that the browser has made. False for a wrong answer or a passkey that is registered already. */
    async add(
      step: string,
      account: Account,
      { origin, text, name, now }: { origin: string; text: string; name: string; now: Date },
    ): Promise<boolean> {
      const challenge = await steps.take('Challenge', step)
      const host = passkeyHost(origin)
      const answer = answerOf(text)
      if (!answer || !host || !challenge || challenge.accountId !== (account.subject ?? anyone)) return false
      const verification = await verifyRegistrationResponse({
        response: answer as object as RegistrationResponseJSON,
        expectedChallenge: challenge.challenge,
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: false,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => undefined)
      if (!verification?.verified) return false
      const { credential } = verification.registrationInfo
      return withSystem('identity', (db) =>
        insertPasskey(db, {
          userId: account.id,
          name,
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey).toString('base64url'),
          host,
          counter: credential.counter,
          transports: [...(credential.transports ?? [])],
          now,
        }),
      )
    },
  }
}

export type Passkeys = ReturnType<typeof openPasskeys>
