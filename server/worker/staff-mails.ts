import { Language } from '#contract/vocabulary/world/languages.ts'
import { findPrincipalById } from '#database/people/principal.ts'
import { dueLetters, type StaffLetter, sendLetter } from '#database/platform/staff-letter.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { principalOf, seesAllGroups } from '../http/scope.ts'
import { type Message, writeLetter } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'
import type { WatchDeps } from './watch.ts'

type Deps = Pick<WatchDeps, 'doors' | 'mail' | 'config'>
interface Reader {
  email: string
  name: string
  language: string | null
}

/** The reader, if they may still know: they see the merchant's settings, or are the provider. */
async function readerOf(doors: Deps['doors'], { userId, merchantId }: StaffLetter): Promise<Reader | undefined> {
  const record = await findPrincipalById(doors, userId)
  if (record?.status !== 'active') return undefined
  const principal = principalOf(record, record.role)
  if (merchantId === null) return userMay(principal, 'merchant.admin') ? principal : undefined
  const isAdmin = userMay(principal, 'settings.write') && seesAllGroups(principal.scope, merchantId)
  return isAdmin ? principal : undefined
}

/** The facts of a letter as its sentences take them, and the page that its button opens. */
function saidOf(letter: StaffLetter, written: (instant: string, zone: string) => string) {
  if (letter.kind === 'diskFills') return { facts: letter.facts, zone: 'UTC', path: '/admin/status' }
  const query = `?merchant=${letter.merchantId}`
  if (letter.kind === 'webhookStopped') {
    const { since, zone, webhookId, ...facts } = letter.facts
    return { facts: { ...facts, since: written(since, zone) }, zone, path: `/manage/webhooks/${webhookId}${query}` }
  }
  const { end, zone, ...facts } = letter.facts
  return { facts: { ...facts, end: written(end, zone) }, zone, path: `/manage/merchant-settings${query}` }
}

/** A letter in its reader's language. */
export function writeStaffLetter(letter: StaffLetter, reader: Reader, publicUrl: string): Message {
  const language = Language.safeParse(reader.language).data ?? 'en'
  const words = wordsIn(language, 'staff-mail')
  const written = (instant: string, timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
      new Date(instant),
    )
  const { kind } = letter
  const { facts, zone, path } = saidOf(letter, written)
  const content = writeLetter({
    language,
    subject: words(`${kind}.subject`, facts),
    paragraphs: [words('greeting', { name: reader.name }), words(`${kind}.lead`, facts), words(`${kind}.then`)],
    button: { label: words(`${kind}.button`), href: `${publicUrl}${path}` },
    after: [words('after'), words('zone', { zone })].join(' '),
  })
  return { id: letter.id, to: reader.email, ...content }
}

/** Mails users about integrations and the deployment. */
export async function mailStaff({ doors, mail, config }: Deps, at: Date): Promise<void> {
  for (const id of await dueLetters(doors, at))
    await sendLetter(doors, id, at, async (letter) => {
      const reader = await readerOf(doors, letter)
      if (!reader) return false
      await mail.send(writeStaffLetter(letter, reader, config.publicUrl))
      return true
    })
}
