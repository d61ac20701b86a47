import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { rolesThatMay } from '#contract/access.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'

/** What users are mailed about, each with its facts. */
export interface StaffLetterFacts {
  webhookStopped: { webhookId: string; name: string; merchant: string; since: string; zone: string }
  tokenEnds: { name: string; merchant: string; end: string; zone: string }
  /** `days`: until 90 %; null: without a forecast. */
  diskFills: { place: string; percent: number; days: number | null }
}
export type StaffLetterKind = keyof StaffLetterFacts

/** Mails sent in one pass; the next pass sends the rest. */
const mailsAtOnce = 200
/** Minutes to wait after each failed attempt; after the last one the mail is given up. */
const retryMinutes = [1, 5, 15, 60, 180, 360, 720]

/** Notes a letter for each user, once for each thing that it is about. */
async function noteFor<K extends StaffLetterKind>(
  db: SystemDb,
  userIds: readonly string[],
  letter: { kind: K; about: string; merchantId: string | null; facts: StaffLetterFacts[K]; at: Date },
): Promise<void> {
  if (userIds.length === 0) return
  await db
    .insertInto('staff_letters')
    .values(
      userIds.map((user_id) => ({
        id: randomUUIDv7(),
        user_id,
        kind: letter.kind,
        about: letter.about,
        merchant_id: letter.merchantId,
        facts: JSON.stringify(letter.facts),
        created_at: letter.at,
        next_attempt_at: letter.at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Notes a letter for the users who may change a merchant's settings; without any, for the provider's. */
export async function noteToAdmins<K extends StaffLetterKind>(
  db: SystemDb,
  letter: { kind: K; about: string; merchantId: string; facts: StaffLetterFacts[K]; at: Date },
): Promise<void> {
  const admins = await db
    .selectFrom('user_merchants')
    .innerJoin('users', 'users.id', 'user_merchants.user_id')
    .where('user_merchants.merchant_id', '=', letter.merchantId)
    .where('users.status', '=', 'active')
    .where('users.role', 'in', [...rolesThatMay('settings.write')])
    .select('users.id')
    .execute()
  if (admins.length === 0) return noteToProvider(db, letter)
  await noteFor(
    db,
    admins.map(({ id }) => id),
    letter,
  )
}

/** Notes a letter for the super admins. */
export async function noteToProvider<K extends StaffLetterKind>(
  db: SystemDb,
  letter: { kind: K; about: string; merchantId: string | null; facts: StaffLetterFacts[K]; at: Date },
): Promise<void> {
  const users = await db
    .selectFrom('users')
    .where('status', '=', 'active')
    .where('role', 'in', [...rolesThatMay('merchant.admin')])
    .select('id')
    .execute()
  await noteFor(
    db,
    users.map(({ id }) => id),
    letter,
  )
}

export type StaffLetter = {
  [K in StaffLetterKind]: {
    id: string
    userId: string
    kind: K
    merchantId: string | null
    facts: StaffLetterFacts[K]
    attempts: number
  }
}[StaffLetterKind]

/** Ids of the letters that are due. */
export const dueLetters = (doors: Doors, at: Date): Promise<string[]> =>
  doors.withSystem(
    'staff letters',
    async (db) => {
      const rows = await db
        .selectFrom('staff_letters')
        .where('sent_at', 'is', null)
        .where('given_up_at', 'is', null)
        .where('next_attempt_at', '<=', at)
        .select('id')
        .orderBy('next_attempt_at')
        .limit(mailsAtOnce)
        .execute()
      return rows.map(({ id }) => id)
    },
    'single statement',
  )

/**
 * Sends a letter that is still due; it is locked meanwhile, so that any number of workers send it once. `send` returns whether its reader may
 * have it; a letter that fails is sent again later.
 */
export const sendLetter = (
  doors: Doors,
  id: string,
  at: Date,
  send: (letter: StaffLetter) => Promise<boolean>,
): Promise<void> =>
  doors.withSystem('staff letters', async (db) => {
    const { rows } =
      await sql<StaffLetter>`select id, user_id as "userId", kind, merchant_id as "merchantId", facts, attempts
      from staff_letters where id = ${id} and sent_at is null and given_up_at is null and next_attempt_at <= ${at}
      for update skip locked`.execute(db)
    const [letter] = rows
    if (!letter) return
    const set = (columns: {
      sent_at?: Date
      given_up_at?: Date
      next_attempt_at?: Date
      attempts?: number
      failure?: string
    }) => db.updateTable('staff_letters').set(columns).where('id', '=', id).execute()
    try {
      const isSent = await send(letter)
      await set(isSent ? { sent_at: at } : { given_up_at: at, failure: 'no access' })
    } catch (error) {
      const failure = String(error instanceof Error ? error.message : error).slice(0, 500)
      const minutes = retryMinutes[letter.attempts]
      await set(
        minutes === undefined
          ? { given_up_at: at, failure }
          : { attempts: letter.attempts + 1, failure, next_attempt_at: new Date(at.getTime() + minutes * 60_000) },
      )
    }
  })
