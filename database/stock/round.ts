import { sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { noteFacts } from '../facts/webhook-note.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import { seenBox } from '../frame/sights/blind-count.ts'
import type { TenantDb } from '../frame/tenant.ts'

const stopsOf = (db: TenantDb) => sql`round_stops stop where ${db.narrow('round_stops', 'stop')}
  and stop.merchant_id = rounds.merchant_id and stop.round_id = rounds.id`

const day = (bound: string | undefined, how: '>=' | '<=') =>
  when(bound, (date) => sql<boolean>`rounds.day ${sql.raw(how)} ${date}::date`)

export const roundList = recordList({
  list: 'rounds',
  table: 'rounds',
  sums: { of: ['stops', 'stopsDone', 'stopsSkipped', 'pieces'] },
  where: (_, { statuses, assigneeIds, startDate, endDate }) => [
    anyOf('rounds.status', statuses, 'text'),
    anyOf('rounds.assignee_id', assigneeIds, 'uuid'),
    day(startDate, '>='),
    day(endDate, '<='),
  ],
  beside: {
    currency: () => sql<Currency>`merchants.currency`,
    van_name: (db: TenantDb) => sql<string | null>`(select van.name from stock_places van where ${db.own('van')}
      and van.merchant_id = rounds.merchant_id and van.id = rounds.van_id)`,
    route_name: (db: TenantDb) => sql<string | null>`(select route.name from routes route where ${db.own('route')}
      and route.merchant_id = rounds.merchant_id and route.id = rounds.route_id)`,
    stops: (db: TenantDb) => sql<number>`(select count(*)::int from ${stopsOf(db)})`,
    stops_done: (db: TenantDb) => sql<number>`(select count(*)::int from ${stopsOf(db)} and stop.status = 'done')`,
    stops_skipped: (db: TenantDb) =>
      sql<number>`(select count(*)::int from ${stopsOf(db)} and stop.status = 'skipped')`,
    pieces: (db: TenantDb) => sql<number>`(select coalesce(sum(load.quantity), 0)::int from round_loads load
      where ${db.own('load')} and load.merchant_id = rounds.merchant_id
        and load.stop_id in (select stop.id from ${stopsOf(db)}))`,
  },
})

/** The stops of a round that the scope sees, in driving order, each with its machine and what was done. */
export async function stopsOfRound(db: TenantDb, { merchant_id, id }: RecordKey) {
  return (
    db
      .from('round_stops')
      .where('round_stops.merchant_id', '=', merchant_id)
      .where('round_stops.round_id', '=', id)
      .innerJoin('machines', (join) =>
        join
          .onRef('machines.merchant_id', '=', 'round_stops.merchant_id')
          .onRef('machines.id', '=', 'round_stops.machine_id'),
      )
      .leftJoin('groups', (join) =>
        join.onRef('groups.merchant_id', '=', 'machines.merchant_id').onRef('groups.id', '=', 'machines.group_id'),
      )
      .leftJoin('clients', (join) =>
        join.onRef('clients.merchant_id', '=', 'machines.merchant_id').onRef('clients.id', '=', 'machines.client_id'),
      )
      .leftJoin('visits', (join) =>
        join
          .onRef('visits.merchant_id', '=', 'round_stops.merchant_id')
          .onRef('visits.id', '=', 'round_stops.visit_id'),
      )
      .selectAll('round_stops')
      // After the column of this name, which it replaces.
      .select(seenBox(db, sql<number | null>`round_stops.cash_in_box`, 'round_stops').as('cash_in_box'))
      .select([
        'machines.name as pos_name',
        'machines.serial as pos_serial',
        'machines.device_type',
        'machines.address',
        'machines.latitude',
        'machines.longitude',
        'machines.deleted_at',
        'groups.name as group_name',
        'clients.name as client_name',
        'clients.phone as client_phone',
        'visits.at as visit_at',
        'visits.user_id as visit_by',
        'visits.user_name as visit_by_name',
        'visits.cash_taken',
        'visits.bag_number',
        'visits.note as visit_note',
        sql<number>`(select coalesce(sum(load.quantity), 0)::int from round_loads load where ${db.own('load')}
        and load.merchant_id = round_stops.merchant_id and load.stop_id = round_stops.id)`.as('pieces'),
        sql<number>`(select coalesce(sum(line.loaded), 0)::int from visit_lines line where ${db.own('line')}
        and line.merchant_id = round_stops.merchant_id and line.visit_id = round_stops.visit_id)`.as('loaded'),
        sql<number>`(select coalesce(sum(line.waste), 0)::int from visit_lines line where ${db.own('line')}
        and line.merchant_id = round_stops.merchant_id and line.visit_id = round_stops.visit_id)`.as('waste'),
        sql<boolean>`exists (select 1 from visit_pictures picture where ${db.own('picture')}
        and picture.merchant_id = round_stops.merchant_id and picture.visit_id = round_stops.visit_id)`.as(
          'has_picture',
        ),
      ])
      .orderBy('round_stops.position')
      .orderBy('round_stops.id')
      .execute()
  )
}
export type StopRecord = Awaited<ReturnType<typeof stopsOfRound>>[number]

/** One round with its stops; undefined outside the scope. `pos_ids`: the machines that still exist. */
export async function findRound(db: TenantDb, id: string) {
  const row = await roundList.find(db, id)
  if (!row) return undefined
  const stop_list = await stopsOfRound(db, row)
  return {
    ...row,
    stop_list,
    pos_ids: stop_list.filter(({ deleted_at }) => deleted_at === null).map(({ machine_id }) => machine_id),
  }
}
export type RoundRecord = NonNullable<Awaited<ReturnType<typeof findRound>>>

/** A round's row, locked until the transaction ends. Visits lock the machine's journal first. */
export async function holdRound(db: TenantDb, id: string) {
  const key = await db.from('rounds').where('rounds.id', '=', id).select(['rounds.merchant_id']).executeTakeFirst()
  if (!key) return undefined
  return db.query
    .selectFrom('rounds')
    .where('rounds.merchant_id', '=', key.merchant_id)
    .where('rounds.id', '=', id)
    .select(['rounds.merchant_id', 'rounds.id', 'rounds.status', 'rounds.day', 'rounds.van_id'])
    .forNoKeyUpdate('rounds')
    .executeTakeFirst()
}

/** Sets a round's status and, with it, when it started or ended. Editing starts from a newer version. */
export async function setRoundStatus(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  status: 'underway' | 'done' | 'cancelled',
  at: Date,
): Promise<void> {
  await db.query
    .updateTable('rounds')
    .set({
      status,
      ...(status === 'underway' ? { started_at: at } : { finished_at: at }),
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
  if (status === 'done')
    await noteFacts(db, [merchant_id], ['round.done'], () => [
      { event: 'round.done', merchantId: merchant_id, data: { roundId: id, at: at.toISOString() } },
    ])
}
