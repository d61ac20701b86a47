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

/** A file of a message. */
export interface KeptFile {
  name: string
  type: string
  bytes: Buffer
}

/** Stores a message, unless it is stored already. */
export async function keepMail(
  db: SystemDb,
  mail: KeptMail & { attachments?: readonly KeptFile[] | undefined },
): Promise<void> {
  const { id, at, to, subject, text, html, attachments = [] } = mail
  await db
    .insertInto('mailbox')
    .values({ id, at, recipient: to, subject, body_text: text, body_html: html })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  if (attachments.length === 0) return
  await db
    .insertInto('mailbox_attachments')
    .values(attachments.map((file, position) => ({ mail_id: id, position, ...file })))
    .onConflict((conflict) => conflict.columns(['mail_id', 'position']).doNothing())
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

/** The names of a message's files, in order. */
export const listFiles = (db: SystemDb, mailId: string): Promise<Pick<KeptFile, 'name'>[]> =>
  db.selectFrom('mailbox_attachments').where('mail_id', '=', mailId).select('name').orderBy('position').execute()

export const findFile = (db: SystemDb, mailId: string, position: number): Promise<KeptFile | undefined> =>
  db
    .selectFrom('mailbox_attachments')
    .where('mail_id', '=', mailId)
    .where('position', '=', position)
    .select(['name', 'type', 'bytes'])
    .executeTakeFirst()
