import type { spaConfiguration } from '#contract/platform/spa-configuration.ts'
import type { Handlers } from '#server/http/handler.ts'
import { publicOriginOf } from '#server/http/origin.ts'

export const spaConfigurationHandlers: Handlers<typeof spaConfiguration> = {
  getSpaConfiguration: async ({ config, request, reply }) => {
    // A sign-in leaves the portal and comes back within minutes: it does not wait for the same answer again.
    reply.header('cache-control', 'private, max-age=300')
    const origin = publicOriginOf(config, request)
    const authority = config.OIDC_ISSUER ?? `${origin}/identity`
    return {
      clientId: config.OIDC_CLIENT_ID,
      loginAuthority: authority,
      changePasswordAuthority:
        config.OIDC_CHANGE_PASSWORD_URL ?? (config.OIDC_ISSUER ? authority : `${origin}/identity/password`),
      knownAuthority: new URL(authority).host,
      apiReadScope: config.OIDC_SCOPE,
      apiResource: config.OIDC_RESOURCE ?? null,
      tenant: config.TENANT,
      roleClaim: config.OIDC_ISSUER ? config.OIDC_ROLE_CLAIM : 'userRole',
      instrumentationKey: config.INSTRUMENTATION_KEY ?? null,
      analyticsCode: config.ANALYTICS_CODE ?? null,
      defaultLanguage: config.DEFAULT_LANGUAGE ?? null,
      version: config.version,
      demo: config.DEMO,
      development: !config.production,
      mapTiles: config.MAP_TILES_URL
        ? { url: config.MAP_TILES_URL, attribution: config.MAP_TILES_ATTRIBUTION ?? '' }
        : null,
      exportMaxResults: config.EXPORT_MAX_RESULTS,
    }
  },
}
