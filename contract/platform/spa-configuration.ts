import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** The portal's configuration before a sign-in; fetched once and kept for the session. */
export const SpaConfiguration = z.strictObject({
  clientId: z.string(),
  loginAuthority: z.string(),
  changePasswordAuthority: z.string(),
  knownAuthority: z.string(),
  apiReadScope: z.string(),
  /** Resource indicator for token requests, if the provider requires one. */
  apiResource: z.string().nullable(),
  tenant: z.string(),
  /** The claim with the role. */
  roleClaim: z.string(),
  instrumentationKey: z.string().nullable(),
  analyticsCode: z.string().nullable(),
  defaultLanguage: Language.nullable(),
  version: z.string(),
  demo: z.boolean(),
  /** The server is not in production: screens for developers of the portal are available. */
  development: z.boolean(),
  /** Where maps get streets, and whom they are of. */
  mapTiles: z.strictObject({ url: z.string(), attribution: z.string() }).nullable(),
  /** Maximum rows of an immediate export. */
  exportMaxResults: z.int(),
})
export type SpaConfiguration = z.infer<typeof SpaConfiguration>

export const spaConfiguration = {
  getSpaConfiguration: endpoint({
    method: 'GET',
    path: '/spa-configuration',
    summary: 'Get the runtime configuration of the portal',
    needs: 'anyone',
    ok: SpaConfiguration,
  }),
}
