import type { FastifyInstance } from 'fastify'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Doors } from '#database/frame/tenant.ts'
import { endTokensOf } from '#database/people/identity.ts'
import { rememberOnce } from '#database/people/session.ts'
import { logSession } from '#database/people/user.ts'
import type { LiveHub } from '../live/hub.ts'
import type { TrustedProvider } from './authentication.ts'

/** Where an external provider reports that a user has signed out there. */
export const backchannelPath = '/oidc/backchannel-logout'

const event = 'http://schemas.openid.net/event/backchannel-logout'
/** How long after its issue a logout token counts, and is remembered. */
const longestAgeSeconds = 300

const LogoutToken = z.looseObject({
  sub: z.string().min(1),
  jti: z.string().min(1).max(500),
  events: z.looseObject({ [event]: z.object({}) }),
  nonce: z.undefined().optional(),
})

interface BackchannelDeps {
  provider: TrustedProvider
  /** The audience of logout tokens: the portal as the provider's client. */
  clientId: string
  algorithms: readonly string[]
  /** Whether the provider writes the type that the standard recommends. */
  isTyped: boolean
  doors: Doors
  live: Pick<LiveHub, 'announceUser'>
}

/**
 * OpenID Connect Back-Channel Logout 1.0: a logout token with `sub` ends all tokens of that user which were issued before. Each
 * token counts once.
 */
export function registerBackchannelLogout(app: FastifyInstance, deps: BackchannelDeps): void {
  const { provider, clientId, doors, live } = deps

  async function verified(text: string): Promise<z.infer<typeof LogoutToken> | undefined> {
    const { payload, protectedHeader } = await jwtVerify(text, provider.keys, {
      issuer: provider.issuer,
      audience: clientId,
      algorithms: [...deps.algorithms],
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: longestAgeSeconds,
      clockTolerance: 30,
    })
    // Not every provider gives the type; the event distinguishes the token from all others.
    const types = deps.isTyped ? ['logout+jwt'] : ['logout+jwt', 'jwt', undefined]
    return types.includes(protectedHeader.typ?.toLowerCase()) ? LogoutToken.safeParse(payload).data : undefined
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 32_768 },
      (_request, body, done) => done(null, new URLSearchParams(String(body)).get('logout_token') ?? ''),
    )
    scope.post<{ Body: string }>(backchannelPath, { schema: { hide: true } }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const refuse = (reason: string) => {
        request.log.warn({ reason }, 'A logout token was refused')
        return reply.code(400).send({ error: 'invalid_request' })
      }
      try {
        const token = await verified(request.body)
        if (!token) return refuse('claims')
        const now = new Date()
        const until = new Date(now.getTime() + 2 * longestAgeSeconds * 1000)
        if (!(await doors.withSystem('identity', (db) => rememberOnce(db, 'LogoutToken', token.jti, until))))
          return refuse('replay')
        // Access tokens give the second of their issue: those of the present second count as before.
        const before = new Date(Math.ceil(now.getTime() / 1000) * 1000)
        const user = { issuer: provider.name, subject: token.sub }
        const userId = await doors.withSystem('identity', (db) => endTokensOf(db, user, before))
        if (userId) {
          live.announceUser(userId)
          await logSession(doors, userId, now, 'backchannelLogout', provider.issuer)
        }
        return reply.code(200).send()
      } catch (error) {
        if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return refuse(error.code)
        request.log.error({ err: error }, 'A logout token could not be checked')
        return reply.code(503).send({ error: 'temporarily_unavailable' })
      }
    })
  })
}
