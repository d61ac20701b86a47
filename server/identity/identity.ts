import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import { pageLanguage } from '../words/words.ts'
import type { Accounts } from './accounts.ts'
import { registerAssets } from './assets.ts'
import { chosenLanguage } from './language.ts'
import { registerLinks } from './link-routes.ts'
import { registerMailbox } from './mailbox.ts'
import { guardPages } from './page-forms.ts'
import { registerPassword } from './password-routes.ts'
import { registerProvider } from './provider-routes.ts'
import { registerSecurity } from './second-factor/security-routes.ts'
import { registerSecondStep } from './second-factor/sign-in-steps.ts'
import { registerSignIn } from './sign-in-routes.ts'
import { type IdentityDeps, openSite } from './site.ts'

export interface Identity {
  accounts: Accounts
  /** The public key of a token. */
  verifyingKey: JWTVerifyGetKey
}

/** The embedded identity provider and its pages, below `/identity`, and the development mailbox when mail is not sent. */
export async function registerIdentity(app: FastifyInstance, deps: IdentityDeps): Promise<Identity> {
  const site = await openSite(deps)

  await app.register(async (scope) => {
    hideFromDocs(scope)
    registerAssets(scope)
    if (deps.mail.mailboxPath) registerMailbox(scope, { doors: deps.doors, languageOf: site.languageOf })
  })

  await app.register(async (scope) => {
    hideFromDocs(scope)
    registerProvider(scope, site)
  })

  await app.register(async (scope) => {
    hideFromDocs(scope)
    guardPages(scope, site)
    registerSignIn(scope, site)
    registerSecondStep(scope, site)
    registerSecurity(scope, site)
    registerPassword(scope, site)
    registerLinks(scope, site)
  })

  return { accounts: site.accounts, verifyingKey: site.keyring.verifyingKey }
}

/** The development mailbox without the provider, for deployments with an external provider that invite by mail. */
export async function registerMailboxAlone(
  app: FastifyInstance,
  deps: Pick<IdentityDeps, 'doors' | 'mail' | 'defaultLanguage'>,
): Promise<void> {
  if (!deps.mail.mailboxPath) return
  const languageOf = (request: IncomingMessage) =>
    pageLanguage({
      chosen: chosenLanguage(request),
      deployment: deps.defaultLanguage,
      accept: request.headers['accept-language'],
    })
  await app.register(async (scope) => {
    hideFromDocs(scope)
    registerAssets(scope)
    registerMailbox(scope, { doors: deps.doors, languageOf })
  })
}

/** These pages are for users and not part of the API. */
const hideFromDocs = (scope: FastifyInstance) =>
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true } as typeof route.schema
  })
