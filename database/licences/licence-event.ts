import { randomUUIDv7 } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { LicenceActor, LicenceStatus, licenceActs, UnassignCase } from '#contract/vocabulary/licence.ts'
import type { RecordKey } from '../frame/records.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { DB } from '../frame/schema.gen.ts'
import type { TenantDb } from '../frame/tenant.ts'

export interface NewLicenceEvent {
  at: Date
  act: (typeof licenceActs)[number]
  status: LicenceStatus
  by: Exclude<LicenceActor, 'user'> | { id: string; name: string }
  posId: string
  unassignCase?: UnassignCase
  detail?: string
}

const rowOf = ({ merchant_id, id }: RecordKey, event: NewLicenceEvent): Insertable<DB['licence_events']> => ({
  merchant_id,
  id: randomUUIDv7(),
  licence_id: id,
  at: event.at,
  act: event.act,
  status: event.status,
  ...(typeof event.by === 'string'
    ? { by_kind: event.by, by_id: null, by_name: null }
    : { by_kind: 'user', by_id: event.by.id, by_name: event.by.name }),
  pos_id: event.posId,
  unassign_case: event.unassignCase ?? null,
  detail: event.detail ?? null,
})

export async function addLicenceEvents(
  db: TenantDb,
  events: readonly (NewLicenceEvent & { licence: RecordKey })[],
): Promise<void> {
  const rows = events.map(({ licence, ...event }) => rowOf(licence, event))
  await db.query.insertInto('licence_events').values(rows).execute()
}

/** The history of a licence, newest first. Machines out of the scope have no name. */
export async function licenceEvents(db: TenantDb, { merchant_id, id }: RecordKey, seesInvisible: boolean) {
  const hidden = await hiddenFrom(db, seesInvisible)
  return db
    .from('licence_events')
    .where('licence_events.merchant_id', '=', merchant_id)
    .where('licence_events.licence_id', '=', id)
    .leftJoin('machines', (join) =>
      join
        .onRef('machines.merchant_id', '=', 'licence_events.merchant_id')
        .onRef('machines.id', '=', 'licence_events.pos_id')
        .on(db.narrow('machinesEver', 'machines')),
    )
    .selectAll('licence_events')
    .select(['machines.id as seen_pos_id', 'machines.name as pos_name'])
    .select(redactedName(sql`licence_events.by_id`, sql`licence_events.by_name`, hidden).as('shown_name'))
    .orderBy('licence_events.at', 'desc')
    .orderBy('licence_events.id', 'desc')
    .limit(500)
    .execute()
}
