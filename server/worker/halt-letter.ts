import { Language } from '#contract/vocabulary/world/languages.ts'
import type { Halted } from '#database/updates/rollout-notice.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { type Message, writeLetter } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'

/** The page of a rollout, by the kind of its rule. */
const pages = { firmware: '/devices/firmware-rules', cashDatabase: '/manage/cash-database-rules' } as const

/** A mail about a halted rollout in its reader's language: why it halted, and what the reader may do. */
export function writeHaltLetter(
  halted: Halted & { mailId: string },
  reader: { email: string; name: string; language: string | null },
  publicUrl: string,
): Message {
  const language = Language.safeParse(reader.language).data ?? 'en'
  const words = wordsIn(language, 'rollout-mail')
  const rollout = wordsIn(language, 'update-rule')
  const number = (value: number | null) => new Intl.NumberFormat(localeOf(language)).format(value ?? 0)
  const { halt, merchantName: merchant, timeZone } = halted
  const since = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const why = rollout(`halted.${halt.cause}`, {
    number: number(halt.count),
    size: number(halt.size),
    allowed: number(halt.allowed),
  })
  const facts = { rule: halted.name, release: halted.release, merchant, since: since.format(halted.haltedAt) }
  const letter = writeLetter({
    language,
    subject: words(`subject.${halted.direction}`, facts),
    paragraphs: [
      words('greeting', { name: reader.name }),
      words(`lead.${halted.direction}`, facts),
      why,
      words(`then.${halted.direction}`),
    ],
    button: {
      label: words('button'),
      href: `${publicUrl}${pages[halted.kind]}/${halted.id}?merchant=${halted.merchantId}`,
    },
    after: [words('after', facts), words('zone', { zone: timeZone })].join(' '),
  })
  return { id: halted.mailId, to: reader.email, ...letter }
}
