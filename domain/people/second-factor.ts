import { roleMay } from '#contract/access.ts'
import type { Role } from '#contract/vocabulary/roles.ts'

/** A merchant's rule: users of these roles need a second factor at sign-ins from `since` on. */
export interface SecondFactorRule {
  roles: readonly string[]
  since: Date | null
}

/** How a user has signed in, as the token says. */
export interface SignInProof {
  /** When the user entered the password or used another factor. */
  at: Date
  hasSecondFactor: boolean
}

/** Whether a rule is for a role. The provider's users are under the deployment's own rule. */
export const needsSecondFactor = ({ roles }: SecondFactorRule, role: Role): boolean => roles.includes(role)

/** Whether a sign-in is not enough for a rule. An earlier sign-in stays valid until it ends. */
export const isTooWeak = (rule: SecondFactorRule, role: Role, proof: SignInProof): boolean =>
  needsSecondFactor(rule, role) && !proof.hasSecondFactor && (rule.since === null || proof.at >= rule.since)

/** Whether a role's second factor is the deployment's to require, and no merchant's. */
export const isUnderDeploymentRule = (role: Role): boolean => roleMay(role, 'merchant.readAll')

/** Authentication methods of the embedded provider (RFC 8176), as its tokens name them. */
export const methods = {
  password: ['pwd'],
  code: ['pwd', 'otp', 'mfa'],
  passkeyAfterPassword: ['pwd', 'pop', 'mfa'],
  /** The authenticator has verified its user with a PIN or biometrics, so that the passkey alone is two factors. */
  passkeyAlone: ['pop', 'user', 'mfa'],
} as const satisfies Record<string, readonly string[]>

/** The method that says that several factors were used. */
const severalFactors = 'mfa'

/** Authentication contexts of the embedded provider. */
export const contextClasses = { one: 'urn:gettone:acr:password', two: 'urn:gettone:acr:second-factor' } as const

export const contextOf = (amr: readonly string[]): string =>
  amr.includes(severalFactors) ? contextClasses.two : contextClasses.one

/**
 * Whether claims of a token name several factors: `amr` with `mfa`, as a list or a single text, or an `acr` that the deployment
 * accepts.
 */
export function hasSecondFactor(
  claims: Readonly<Record<string, unknown>>,
  acceptedClasses: readonly string[],
): boolean {
  const amr = Array.isArray(claims.amr) ? claims.amr : [claims.amr]
  return amr.includes(severalFactors) || (typeof claims.acr === 'string' && acceptedClasses.includes(claims.acr))
}
