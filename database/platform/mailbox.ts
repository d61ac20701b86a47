import type { SystemDb } from '../frame/tenant.ts'

/** A message of the development mailbox. */
export interface KeptMail {
  id: string
  at: Date
  to: string
  subject: string
  text: string
  html: string
}

/** Stores a message, unless it is stored already. */
export async function keepMail(db: SystemDb, mail: KeptMail): Promise<void> {
  const { id, at, to, subject, text, html } = mail
  await db
    .insertInto('mailbox')
    .values({ id, at, recipient: to, subject, body_text: text, body_html: html })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Deletes all but the newest messages. */
export async function trimMail(db: SystemDb, newest: number): Promise<void> {
  const last = db.selectFrom('mailbox').select('at').orderBy('at', 'desc').offset(newest).limit(1)
  await db.deleteFrom('mailbox').where('at', '<=', last).execute()
}

/** The newest messages, without their bodies. */
export const listMail = (db: SystemDb, limit: number): Promise<Pick<KeptMail, 'id' | 'at' | 'to' | 'subject'>[]> =>
  db
    .selectFrom('mailbox')
    .select(['id', 'at', 'recipient as to', 'subject'])
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()

export const findMail = (db: SystemDb, id: string): Promise<KeptMail | undefined> =>
  db
    .selectFrom('mailbox')
    .select(['id', 'at', 'recipient as to', 'subject', 'body_text as text', 'body_html as html'])
    .where('id', '=', id)
    .executeTakeFirst()
