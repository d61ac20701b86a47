import { Language } from '#contract/vocabulary/world/languages.ts'
import type { ClaimMail } from '#database/key-portal/claim-mail.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { formatMoney } from '#domain/money/money.ts'
import { type Message, writeLetter } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'

/** The answer to a claim in the customer's language, in the merchant's name. */
export function writeClaimLetter(mail: ClaimMail, origin: string): Message {
  const language = Language.safeParse(mail.language).data ?? 'en'
  const words = wordsIn(language, 'claim-mail')
  const { state, number, merchant, machine } = mail
  const day = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone: mail.zone }).format(
    mail.happenedAt,
  )
  const amount = mail.refunded === null ? '' : formatMoney(mail.refunded, mail.currency)
  const letter = writeLetter({
    language,
    brand: merchant,
    subject: words(`subject.${state}`, { number }),
    paragraphs: [
      mail.name === null ? words('greetingWithoutName') : words('greeting', { name: mail.name }),
      words(`lead.${state}`, { merchant, machine, day, amount }),
      ...(mail.answer ? [mail.answer] : []),
    ],
    button: { label: words('open'), href: mail.slug ? `${origin}/key/${mail.slug}` : origin },
  })
  return { ...letter, id: mail.id, to: mail.to }
}
