import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Account } from '#database/people/identity.ts'
import { listed } from '#domain/frame/listed.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { type Mail, writeLetter } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'
import { identityPath } from './provider.ts'

type FactorLetter = 'factorAdded' | 'factorRemoved' | 'recoveryCodesMade' | 'recoveryCodeUsed' | 'factorsRemoved'

/** The identity provider's mails, in the reader's own language if known. */
export function makeLetters(origin: string, mail: Pick<Mail, 'send'>) {
  function send(
    account: Account,
    language: Language,
    kind: 'reset' | 'invitation' | 'externalInvitation' | 'changed' | FactorLetter,
    facts: { path: string; when?: string; factor?: string; merchants?: readonly string[] },
  ): Promise<void> {
    const words = wordsIn(language, 'identity')
    const parameters = {
      name: account.name,
      role: words(`roles.${account.role}`),
      when: facts.when,
      factor: facts.factor,
      merchants: facts.merchants?.length ? listed(facts.merchants, language) : undefined,
    }
    const text = parameters.merchants ? `mail.${kind}.textOf` : `mail.${kind}.text`
    const letter = writeLetter({
      language,
      subject: words(`mail.${kind}.subject`),
      paragraphs: [words('mail.greeting', parameters), words(text, parameters)],
      button: { label: words(`mail.${kind}.button`), href: origin + facts.path },
      after: kind === 'reset' ? words('mail.ignore') : undefined,
    })
    return mail.send({ to: account.email, ...letter })
  }

  const instant = (language: Language, at: Date) =>
    new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)

  /** A mail about a change of second factors, so that its owner notices another user's change. */
  function sendChange(kind: FactorLetter, account: Account, otherwise: Language, at: Date, factor?: string) {
    const language = account.language ?? otherwise
    const facts = { path: '/settings/profile', when: instant(language, at), ...(factor !== undefined && { factor }) }
    return send(account, language, kind, facts)
  }

  return {
    factorAdded: (account: Account, otherwise: Language, at: Date, factor: string) =>
      sendChange('factorAdded', account, otherwise, at, factor),
    factorRemoved: (account: Account, otherwise: Language, at: Date, factor: string) =>
      sendChange('factorRemoved', account, otherwise, at, factor),
    recoveryCodesMade: (account: Account, otherwise: Language, at: Date) =>
      sendChange('recoveryCodesMade', account, otherwise, at),
    recoveryCodeUsed: (account: Account, otherwise: Language, at: Date) =>
      sendChange('recoveryCodeUsed', account, otherwise, at),
    /** An administrator has removed all second factors of the user. */
    factorsRemoved: (account: Account, otherwise: Language, at: Date) =>
      sendChange('factorsRemoved', account, otherwise, at),

    reset: (account: Account, pageLanguage: Language, token: string) =>
      send(account, account.language ?? pageLanguage, 'reset', { path: `${identityPath}/reset/${token}` }),

    /** Names the merchants and the role of the user as they are now. */
    invitation: (account: Account, merchants: readonly string[], otherwise: Language, token: string) =>
      send(account, account.language ?? otherwise, 'invitation', {
        path: `${identityPath}/invitation/${token}`,
        merchants,
      }),

    /** Links to the portal's own page. The token is after the #, where neither servers nor logs see it. */
    externalInvitation: (account: Account, merchants: readonly string[], otherwise: Language, token: string) =>
      send(account, account.language ?? otherwise, 'externalInvitation', { path: `/invitation#${token}`, merchants }),

    passwordChanged(account: Account, pageLanguage: Language, at: Date) {
      const language = account.language ?? pageLanguage
      const when = instant(language, at)
      return send(account, language, 'changed', { path: `${identityPath}/forgot`, when })
    },
  }
}
