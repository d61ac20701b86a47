import type { Role } from '#contract/vocabulary/roles.ts'

/** The provider's result of a sign-in. */
export interface Tokens {
  accessToken: string
  /** Milliseconds since 1970. */
  expiresAt: number
  subject: string
  /** The deployment's role named by its claim. */
  role: Role | null
  /** Its claim names an end customer, who has no role in the staff portal. */
  isCustomer: boolean
}

/** Why a sign-in failed: the provider requires interaction, the connection failed, or it was refused. */
export type FaultKind = 'interactionRequired' | 'transient' | 'refused'
export class SignInFault extends Error {
  readonly kind: FaultKind
  constructor(kind: FaultKind, reason: string) {
    super(reason)
    this.name = 'SignInFault'
    this.kind = kind
  }
}

/** An error of a sign-in; an unknown one is a refusal. */
export const faultOf = (error: unknown) =>
  error instanceof SignInFault ? error : new SignInFault('refused', String(error))

/** The identity provider, as the session needs it. Everything that fails throws SignInFault. */
export interface SignInProvider {
  /** Its cookie is sent within a frame; otherwise silent sign-in needs the whole window. */
  isSameSite: boolean
  /** New tokens without a prompt. */
  silent(): Promise<Tokens>
  /** New tokens through a popup in which the user signs in. */
  popup(): Promise<Tokens>
  /** Redirects to the provider; it returns to `/signed-in`. */
  redirect(to: { returnTo: string; isSilent: boolean }): Promise<void>
  /** Reads the answer in the address of `/signed-in`. */
  complete(url: string): Promise<{ tokens: Tokens; returnTo: string }>
  signOut(): Promise<void>
  forget(): Promise<void>
}
