import type { Language } from '#contract/vocabulary/world/languages.ts'
import { type Mail, writeLetter } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'

/** The page of the key portal that takes a mailed link. The token is after the #, where neither servers nor logs see it. */
export const signInLink = (origin: string, slug: string, token: string) =>
  `${origin}/key/${slug}/sign-in#token=${token}`

/** Mails the link with which a customer signs in or signs up: the same words for a known and an unknown address. */
export function sendSignInLink(
  mail: Pick<Mail, 'send'>,
  { to, language, merchant, href }: { to: string; language: Language; merchant: string; href: string },
): Promise<void> {
  const words = wordsIn(language, 'customer-app')
  const letter = writeLetter({
    language,
    brand: merchant,
    subject: words('mail.signIn.subject', { merchant }),
    paragraphs: [words('mail.signIn.text', { merchant })],
    button: { label: words('mail.signIn.button'), href },
    after: words('mail.signIn.ignore'),
  })
  return mail.send({ to, ...letter })
}
