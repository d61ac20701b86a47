import { sql } from 'kysely'
import type { AlarmFilters } from '#contract/alarms/alarm.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { posStatusByAlarms } from '#domain/machines/machine-state.ts'
import { noteAlarms } from '../facts/alarm-note.ts'
import { among } from '../frame/conditions.ts'
import { heldApart } from '../frame/held-apart.ts'
import { type Chosen, chosenOf, type Selection } from '../frame/selection.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { alarmsMatching } from './alarm.ts'

const open = ['active', 'notification']

/** The ids of the selected alarms. */
export const chosenAlarms = (db: TenantDb, selection: Selection<AlarmFilters>): Promise<Chosen> =>
  chosenOf(db, 'alarms', selection, (filters) => alarmsMatching(db, filters))

export interface ChangedAlarm {
  merchant_id: string
  machine_id: string
  id: string
}

const noted = ({ machine_id, id, code, criticity }: ChangedAlarm & { code: string; criticity: number }) => ({
  posId: machine_id,
  alarmId: id,
  code,
  criticity,
})

/** Closes alarms by hand that are still open; returns them. */
export async function repairAlarms(
  db: TenantDb,
  ids: readonly string[],
  by: { id: string; name: string; at: Date; note: string | undefined },
): Promise<ChangedAlarm[]> {
  const repaired = await db.query
    .updateTable('alarms')
    .set({
      status: 'repairedManually',
      repaired_at: by.at,
      repaired_by: by.name,
      repaired_by_id: by.id,
      repair_note: by.note ?? null,
    })
    .where(db.narrow('alarms'))
    .where(among('alarms.id', ids, 'uuid'))
    .where('status', 'in', open)
    .returning(['merchant_id', 'machine_id', 'id', 'code', 'criticity'])
    .execute()
  await refreshPosStatuses(db, repaired)
  await noteAlarms(
    db,
    repaired.map((alarm) => ({
      event: 'alarm.ended',
      merchantId: alarm.merchant_id,
      data: { ...noted(alarm), at: by.at.toISOString(), byUser: true },
    })),
  )
  return repaired
}

export interface RepairedAlarm extends ChangedAlarm {
  status: string
  repaired_at: Date | null
  repaired_by_id: string | null
  repair_note: string | null
  /** The alarm was raised again; a code has one open alarm at most. */
  is_open_again: boolean
}

/** Alarms of the scope with their repair, locked until the transaction ends. */
export const repairsOf = (db: TenantDb, ids: readonly string[]): Promise<RepairedAlarm[]> =>
  heldApart(db, 'alarms', ids, (of) =>
    of
      .from('alarms')
      .where(among('alarms.id', ids, 'uuid'))
      .select(['merchant_id', 'machine_id', 'id', 'status', 'repaired_at', 'repaired_by_id', 'repair_note'])
      .select(
        sql<boolean>`exists (select 1 from alarms o where ${of.own('o')} and o.merchant_id = alarms.merchant_id
          and o.machine_id = alarms.machine_id and o.code = alarms.code and o.status in ('active', 'notification'))`.as(
          'is_open_again',
        ),
      )
      .orderBy('id')
      .forUpdate('alarms')
      .execute(),
  )

/** Reopens alarms that were repaired by hand; the row keeps the time of the repair. */
export async function reopenAlarms(
  db: TenantDb,
  alarms: readonly ChangedAlarm[],
  by: { name: string; at: Date },
): Promise<void> {
  if (alarms.length === 0) return
  const ids = alarms.map(({ id }) => id)
  const reopened = await db.query
    .updateTable('alarms')
    .set({
      status: sql<string>`case when criticity = ${alarmCriticities.notification} then 'notification' else 'active' end`,
      undone_repair_at: sql<Date>`repaired_at`,
      repaired_at: null,
      repaired_by: null,
      repaired_by_id: null,
      repair_note: null,
      reopened_at: by.at,
      reopened_by: by.name,
    })
    .where(db.narrow('alarms'))
    .where(among('alarms.id', ids, 'uuid'))
    .returning(['merchant_id', 'machine_id', 'id', 'code', 'criticity'])
    .execute()
  await refreshPosStatuses(db, alarms)
  await noteAlarms(
    db,
    reopened.map((alarm) => ({
      event: 'alarm.raised',
      merchantId: alarm.merchant_id,
      data: { ...noted(alarm), at: by.at.toISOString() },
    })),
  )
}

/** Updates the stored part of the POS status of many machines from their open alarms. */
export async function refreshPosStatuses(
  db: TenantDb,
  alarms: readonly Pick<ChangedAlarm, 'machine_id'>[],
): Promise<void> {
  const ids = [...new Set(alarms.map((alarm) => alarm.machine_id))].sort()
  if (ids.length === 0) return
  // Every writer of machines locks them in this order, which avoids deadlocks.
  const machines = await heldApart(db, 'machines', ids, (of) =>
    of.query
      .selectFrom('machines')
      .where(of.narrow('machines'))
      .where(among('machines.id', ids, 'uuid'))
      .select('machines.id')
      .select(
        sql<
          number | null
        >`(select max(a.criticity) from alarms a where ${of.own('a')} and a.merchant_id = machines.merchant_id
        and a.machine_id = machines.id and a.status in ('active', 'notification'))`.as('worst'),
      )
      .select(
        sql<boolean>`exists (select 1 from alarms a where ${of.own('a')} and a.merchant_id = machines.merchant_id and a.machine_id = machines.id
        and a.status in ('active', 'notification') and a.category = 'maintenance')`.as('hasMaintenance'),
      )
      .orderBy('machines.id')
      .forNoKeyUpdate('machines')
      .execute(),
  )
  const byStatus = Map.groupBy(machines, posStatusByAlarms)
  for (const [status, some] of byStatus) {
    await db.query
      .updateTable('machines')
      .set({ pos_status: status })
      .where(db.narrow('machines'))
      .where(
        among(
          'machines.id',
          some.map(({ id }) => id),
          'uuid',
        ),
      )
      .execute()
  }
}
