import { type RawBuilder, sql } from 'kysely'
import type { DeadLetterFilters, deadLetterOrds } from '#contract/platform/dead-letter.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import type { ReplayOutcome } from './dead-letters.ts'
import { recordProviderChange } from './provider-log.ts'

/** The shown part of a payload. */
export const shownBytes = 65_536

type Ord = (typeof deadLetterOrds)[number]

/** Letters with their current merchant. */
const letters = (db: SystemDb) =>
  db
    .selectFrom('dead_letters as letters')
    .leftJoin('merchants', 'merchants.id', 'letters.merchant_id')
    .leftJoin('machine_directory as directory', 'directory.serial', 'letters.serial')

/** The shown columns of letters, without the payload. */
const listedLetters = (db: SystemDb) =>
  letters(db).select([
    'letters.id',
    'letters.at',
    'letters.serial',
    'letters.merchant_id',
    'letters.kind',
    'letters.transport',
    'letters.reason',
    'letters.replay_requested_at',
    'letters.replay_requested_by',
    'letters.replayed_at',
    'letters.replay_outcome',
    'letters.replay_detail',
    'merchants.name as merchant_name',
    'directory.machine_id',
    sql<number>`length(letters.payload)`.as('size'),
  ])

export type DeadLetterRecord = Awaited<ReturnType<typeof findDeadLetter>> & object

function matching({ search, reasons, transports, isReplayed }: DeadLetterFilters): RawBuilder<boolean> {
  const parts = [
    anyOf('letters.transport', transports, 'text'),
    holds(sql`letters.serial`, search),
    when(reasons, (some) => sql<boolean>`split_part(letters.reason, ':', 1) = any(${some}::text[])`),
    when(isReplayed, (expected) => sql<boolean>`(letters.replayed_at is not null) = ${expected}`),
  ]
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** Letters that match, with their current merchant. */
export const deadLettersMatching = (db: SystemDb, filters: DeadLetterFilters) => letters(db).where(matching(filters))

/** By default the newest first. */
export const deadLetterOrdering = orderOf<Ord>({
  by: {
    at: sql`letters.at`,
    serial: sql`letters.serial`,
    merchant: sql`lower(merchants.name)`,
    kind: sql`letters.kind`,
    transport: sql`letters.transport`,
    reason: sql`letters.reason`,
    state: sql`letters.replay_outcome`,
    detail: sql`letters.replay_detail`,
    size: sql`length(letters.payload)`,
  },
  first: 'at',
  falling: 'all',
  full: ['at'],
  ties: sql`letters.id desc`,
})

export const listDeadLetters = (doors: Doors, query: DeadLetterFilters & Page & Sorted<Ord>) =>
  doors.withSystem('dead letters', (db) =>
    pageOf({ query: db }, query, {
      matching: () => db.selectFrom('dead_letters as letters').where(matching(query)),
      order: deadLetterOrdering(query),
      select: () => listedLetters(db).where(matching(query)),
    }),
  )

export const findDeadLetter = (doors: Doors, id: string) =>
  doors.withSystem(
    'dead letters',
    (db) => listedLetters(db).where('letters.id', '=', id).executeTakeFirst(),
    'single statement',
  )

export const payloadOf = async (doors: Doors, id: string): Promise<Uint8Array | undefined> => {
  const row = await doors.withSystem(
    'dead letters',
    (db) =>
      db
        .selectFrom('dead_letters')
        .where('id', '=', id)
        .select(sql<Buffer>`substring(payload from 1 for ${shownBytes})`.as('payload'))
        .executeTakeFirst(),
    'single statement',
  )
  return row?.payload
}

/** Requests another replay of a letter; returns whether it is waiting. A replayed letter is not replayed again. */
export const requestReplay = (doors: Doors, id: string, user: { id: string; name: string }, at: Date) =>
  doors.withSystem('dead letters', async (db): Promise<boolean> => {
    const waiting = (isRequested: boolean) => sql<boolean>`id = ${id} and replayed_at is null
      and (replay_requested_at is not null) = ${isRequested}`
    const requested = await db
      .updateTable('dead_letters')
      .set({ replay_requested_at: at, replay_requested_by: user.name })
      .where(waiting(false))
      .returning(['serial', 'kind', 'reason'])
      .executeTakeFirst()
    if (!requested) return (await db.selectFrom('dead_letters').where(waiting(true)).select('id').execute()).length > 0
    const change = { at, user, action: 'deadLetter.replay', subjectType: 'deadLetter', subjectId: id, after: requested }
    await recordProviderChange(db, change)
    return true
  })

export interface LetterToReplay {
  id: string
  at: Date
  serial: string | null
  /** The merchant of the machine. */
  merchantId: string | null
  kind: string
  transport: 'mqtt' | 'http'
  payload: Buffer
}

/**
 * Replays the next waiting letter and stores the result of `replay`. The letter is locked meanwhile, so that one of several gateways
 * replays it, and another takes over if that gateway dies. False if none is waiting.
 */
export async function replayNext(
  doors: Doors,
  replay: (letter: LetterToReplay) => Promise<{ outcome: ReplayOutcome; detail: string | null }>,
): Promise<boolean> {
  return doors.withSystem('dead letters', async (db) => {
    const letter = await db
      .selectFrom('dead_letters')
      .where('replay_requested_at', 'is not', null)
      .where('replayed_at', 'is', null)
      .select(['id', 'at', 'serial', 'merchant_id as merchantId', 'kind', 'transport', 'payload'])
      .orderBy('replay_requested_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!letter) return false
    const { outcome, detail } = await replay(letter as LetterToReplay)
    await db
      .updateTable('dead_letters')
      .set({ replayed_at: new Date(), replay_outcome: outcome, replay_detail: detail })
      .where('id', '=', letter.id)
      .execute()
    return true
  })
}
