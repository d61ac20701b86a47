import { Language } from '#contract/vocabulary/world/languages.ts'
import { localeOf } from '#domain/frame/locale.ts'
import type { Message } from '../mail/mail.ts'
import { writeLetter } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'

/** A licence as a mail to its end client names it. */
export interface MailedLicence {
  name: string
  organization: string
  establishment_name: string
  contact_name: string | null
  client_email: string
  language: string
  merchant_name: string
  pos_name: string
  expires_on: string | null
}

const languageOf = ({ language }: MailedLicence) => Language.safeParse(language).data ?? 'en'

const dayIn = (language: Language, day: string) =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

const factsOf = (licence: MailedLicence) => ({
  licence: licence.name,
  name: licence.contact_name ?? licence.organization,
  merchant: licence.merchant_name,
  establishment: licence.establishment_name,
  machine: licence.pos_name,
})

/** The mail with the link to confirm the data of a licence. */
export function writeConfirmation(licence: MailedLicence, href: string, until: Date, timeZone: string): Message {
  const language = languageOf(licence)
  const words = wordsIn(language, 'licence-mail')
  const end = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    until,
  )
  const facts = { ...factsOf(licence), until: end }
  const letter = writeLetter({
    language,
    subject: words('confirm.subject', facts),
    paragraphs: [words('greeting', facts), words('confirm.text', facts), words('confirm.key')],
    button: { label: words('confirm.button'), href },
    after: words('confirm.after', facts),
  })
  return { to: licence.client_email, ...letter }
}

/** The mail some days before the end of a licence. */
export function writeReminder(licence: MailedLicence & { mailId: string; days: number }): Message {
  const language = languageOf(licence)
  const words = wordsIn(language, 'licence-mail')
  const facts = { ...factsOf(licence), count: licence.days, day: dayIn(language, licence.expires_on ?? '') }
  const letter = writeLetter({
    language,
    subject: words('remind.subject', facts),
    paragraphs: [words('greeting', facts), words('remind.text', facts), words('remind.then', facts)],
  })
  return { id: licence.mailId, to: licence.client_email, ...letter }
}

/** The same for a user who manages licences, in their language. */
export function writeUserReminder(
  licence: MailedLicence & { id: string; merchant_id: string; mailId: string },
  reader: { email: string; name: string; language: string | null },
  publicUrl: string,
): Message {
  const language = Language.safeParse(reader.language).data ?? 'en'
  const words = wordsIn(language, 'licence-mail')
  const facts = {
    ...factsOf(licence),
    name: reader.name,
    client: licence.organization,
    day: dayIn(language, licence.expires_on ?? ''),
  }
  const letter = writeLetter({
    language,
    subject: words('remind.subject', facts),
    paragraphs: [words('greeting', facts), words('remindUser.text', facts), words('remindUser.then', facts)],
    button: {
      label: words('remindUser.button'),
      href: `${publicUrl}/service-manager/${licence.id}?merchant=${licence.merchant_id}`,
    },
  })
  return { id: licence.mailId, to: reader.email, ...letter }
}
