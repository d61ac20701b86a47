import { ProductError } from '#contract/errors.ts'
import { Language } from '#contract/vocabulary/world/languages.ts'
import type { RequestKey } from '#database/insight/data-retrieval-request.ts'
import { claimMail, returnMail, type StoredRequest } from '#database/insight/data-retrieval-request.ts'
import { findMerchant } from '#database/merchants/merchant.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { ownerOf } from '../export/owner.ts'
import { type Message, writeLetter } from '../mail/mail.ts'
import { wordsIn } from '../words/words.ts'
import type { RetrievalServices } from './services.ts'

/** Mails the owner of a completed request, once. A mail that cannot be sent is tried again with the job. */
export async function mailReady({ doors, mail, config }: RetrievalServices, key: RequestKey): Promise<void> {
  const request = await claimMail(doors, key, new Date())
  if (!request) return
  try {
    const owner = await ownerOf(doors, { user_id: request.created_by, role: request.role })
    const { merchantId } = key
    const merchant = await doors.withTenant(
      [{ merchantId, groups: 'all' }],
      (db) => findMerchant(db, merchantId),
      'read',
    )
    await mail.send(letterOf(request, owner, config.publicUrl, merchant?.name ?? ''))
  } catch (error) {
    // The owner lost access after the file was complete and gets no mail.
    if (error instanceof ProductError) return
    await returnMail(doors, key)
    throw error
  }
}

function letterOf(
  request: StoredRequest,
  owner: { email: string; name: string; language: string | null },
  origin: string,
  merchant: string,
): Message {
  const language = Language.catch(request.language).parse(owner.language)
  const words = wordsIn(language, 'data-retrieval-request')
  const day = (text: string) =>
    new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(text))
  const number = (value: number) => new Intl.NumberFormat(localeOf(language)).format(value)
  const facts = {
    name: owner.name,
    merchant,
    type: words(`type.${request.data_type}`),
    from: day(request.start_date),
    to: day(request.end_date),
    count: request.rows,
    number: number(request.rows),
  }
  return {
    id: request.id,
    to: owner.email,
    ...writeLetter({
      language,
      subject: words('mail.subject', facts),
      paragraphs: [words('mail.greeting', facts), words('mail.text', facts), words('mail.rows', facts)],
      button: {
        label: words('mail.button'),
        href: `${origin}/manage/data-retrieval-requests?merchant=${request.merchant_id}`,
      },
      ...(request.expires_at && {
        after: words('mail.until', { until: day(request.expires_at.toISOString()) }),
      }),
    }),
  }
}
