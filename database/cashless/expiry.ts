import { sql } from 'kysely'
import type { Doors } from '../frame/tenant.ts'
import { endHeld } from './reservation.ts'

/** Reservations that are ended in one round. */
const most = 500

export interface EndedReservation {
  merchantId: string
  posId: string
  refundId: string | null
}

/**
 * Ends reservations whose time is over; their credit is free again. Each medium has its own transaction, in which its accounts are locked: a
 * settlement at the same moment happens before or after it.
 */
export async function endOverdueReservations(doors: Doors, now: Date): Promise<EndedReservation[]> {
  const ended: EndedReservation[] = []
  /** One medium must not keep the others waiting. */
  const failures: unknown[] = []
  for (;;) {
    const due = await doors.withSystem(
      'credit reservations',
      async (db) =>
        (
          await sql<{ id: string; merchantId: string; mediaId: string }>`
            select reservation.id, reservation.merchant_id as "merchantId", reservation.media_id as "mediaId"
            from credit_reservations reservation where reservation.state = 'held' and reservation.expires_at <= ${now}
            order by reservation.expires_at limit ${most}`.execute(db)
        ).rows,
      'single statement',
    )
    const before = ended.length
    for (const [mediaId, some] of Map.groupBy(due, (one) => one.mediaId)) {
      const { merchantId } = some[0] as (typeof some)[number]
      const ids = some.map(({ id }) => id)
      try {
        const rows = await doors.withTenant([{ merchantId, groups: 'all' }], (db) =>
          endHeld(db, merchantId, { mediaId, ids, as: 'expired', at: now }),
        )
        for (const { posId, refundId } of rows) ended.push({ merchantId, posId, refundId })
      } catch (error) {
        failures.push(error)
      }
    }
    if (due.length === most && ended.length > before) continue
    if (failures.length > 0) throw new AggregateError(failures, 'Reservations of some media could not be ended.')
    return ended
  }
}
