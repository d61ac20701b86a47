import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { Mail } from '../mail/mail.ts'
import type { Vault } from '../secrets/vault.ts'
import { pageLanguage } from '../words/words.ts'
import { openAccounts } from './accounts.ts'
import { openKeyring } from './keys.ts'
import { chosenLanguage } from './language.ts'
import { makeLetters } from './letters.ts'
import { type DemoAccount, makePages } from './pages.ts'
import { createProvider, type PortalClient } from './provider.ts'
import { openFactors } from './second-factor/factors.ts'
import { makeFactorPages } from './second-factor/pages.ts'
import { pageHeaders } from './security.ts'

export interface IdentityDeps {
  client: PortalClient
  doors: Pick<Doors, 'withSystem'>
  vault: Vault
  mail: Mail
  /** The addresses that browsers use, such as `https://portal.example.com`. Mails contain the first. Others are refused. */
  publicOrigins: readonly string[]
  defaultLanguage: Language | undefined
  /** Shown on the sign-in page; empty outside the demo. */
  demoAccounts: readonly DemoAccount[]
  /** Whether super admins need a second factor. */
  isForSuperAdmins?: boolean
  /** Called with users whose sessions have ended. */
  onRevoked?: (userId: string) => void
  log: { error: (facts: object, text: string) => void; info: (facts: object, text: string) => void }
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** What all pages of the embedded identity provider share. */
export async function openSite(deps: IdentityDeps) {
  const { doors, mail, publicOrigins, log } = deps
  const mainOrigin = publicOrigins[0]
  if (!mainOrigin) throw new Error('The identity provider needs a public origin.')
  const keyring = openKeyring(doors, deps.vault)
  const keys = await keyring.current()
  const accounts = openAccounts(doors, deps.onRevoked)
  const factors = openFactors({ doors, vault: deps.vault, isForSuperAdmins: deps.isForSuperAdmins ?? false })
  /** The language in the portal's sign-in request. */
  const portalLanguages = new WeakMap<IncomingMessage, string>()
  const languageOf = (request: IncomingMessage) =>
    pageLanguage({
      chosen: portalLanguages.get(request) ?? chosenLanguage(request),
      deployment: deps.defaultLanguage,
      accept: request.headers['accept-language'],
    })
  const pages = makePages({ demoAccounts: deps.demoAccounts, mailboxPath: mail.mailboxPath, languageOf })
  const factorPages = makeFactorPages(languageOf)
  const letters = makeLetters(mainOrigin, mail)
  const addresses = new WeakMap<IncomingMessage, string>()
  const addressOf = (request: IncomingMessage) => addresses.get(request) ?? ''
  const onFault = (error: Error) => log.error({ err: error }, 'The identity provider failed')
  const providers = new Map(
    publicOrigins.map((origin) => [
      origin,
      createProvider(origin, { doors, client: deps.client, accounts, factors, keys, pages, addressOf, onFault }),
    ]),
  )

  /** The provider of the address that the browser used; undefined for a foreign address. */
  function providerOf(request: FastifyRequest): { origin: string; provider: Provider } | undefined {
    const exact = `${request.protocol}://${request.host}`
    const origin = providers.has(exact) ? exact : publicOrigins.find((one) => new URL(one).host === request.host)
    const provider = origin && providers.get(origin)
    return origin && provider ? { origin, provider } : undefined
  }

  const answer = (reply: FastifyReply, text: string, status = 200) =>
    reply.code(status).headers(pageHeaders).type('text/html; charset=utf-8').send(text)

  /** Sends a mail without delaying the page: the delay would reveal which addresses are known. */
  const post = (letter: Promise<void>) =>
    void letter.catch((error) => log.error({ err: error }, 'A mail could not be sent'))

  return {
    keyring,
    accounts,
    factors,
    portalLanguages,
    addresses,
    pages,
    factorPages,
    letters,
    languageOf,
    providerOf,
    answer,
    post,
    log,
    /** The answer to a browser that used a foreign address. */
    answerStranger: (request: FastifyRequest, reply: FastifyReply) =>
      answer(reply, pages.fault(request.raw, `${request.host} is not an address of this portal`), 421),
  }
}
