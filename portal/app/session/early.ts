import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'
import type { SignInProvider } from './signIn.ts'

/** What the page's first code has begun before the portal loads, for the portal to take over. */
interface Early {
  configuration?: Promise<SpaConfiguration>
  /** Of a page to which the provider has returned; it reads the answer already. */
  provider?: SignInProvider
  /** Where that page leads, once the session has begun. */
  next?: Promise<string>
}
export const early: Early = {}
