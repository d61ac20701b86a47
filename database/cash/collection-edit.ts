import { sql } from 'kysely'
import type { Pieces } from '#contract/cash/collection.ts'
import type { CollectionStatus, CountSight, PiecesBasis } from '#contract/vocabulary/cash.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { lockJournals } from '../ingest/journal.ts'

/** Locks the machine's journal and then the collection; false if it does not exist. */
export async function holdCollection(db: TenantDb, id: string): Promise<boolean> {
  const row = await db
    .from('collections')
    .where('collections.id', '=', id)
    .select(['collections.merchant_id', 'collections.machine_id'])
    .executeTakeFirst()
  if (!row) return false
  await lockJournals(db, [{ merchantId: row.merchant_id, id: row.machine_id }])
  const held = await db
    .from('collections')
    .where('collections.id', '=', id)
    .select('collections.id')
    .forNoKeyUpdate('collections')
    .executeTakeFirst()
  return held !== undefined
}

interface By {
  at: Date
  user: { id: string; name: string }
}

/** The figures of a collection at its closing. Collections that were closed earlier lack the source of their pieces. */
export interface Frozen {
  previousAt: Date | null
  audited: { total: number | null; pieces: Pieces[]; isExact: boolean }
  transmitted: {
    total: number | null
    pieces: Pieces[]
    basis: string | null
    from?: PiecesBasis | null
    at?: Date | null
  }
}

export interface Edit {
  status?: CollectionStatus
  count?: By & { pieces: Pieces[]; total: number; tolerance: number; sight: CountSight | null }
  bagNumber?: string
  /** Null: an end of the dispute without a trace in the row; the change log has it. */
  dispute?: (By & { reason: string }) | null
  close?: (By & { note: string | null; frozen: Frozen }) | null
}

/** Writes a step of a user, and increments the version. */
export async function writeCollection(
  db: TenantDb,
  { merchant_id, id }: { merchant_id: string; id: string },
  { status, count, bagNumber, dispute, close }: Edit,
): Promise<void> {
  await db.query
    .updateTable('collections')
    .set({
      version: sql`version + 1`,
      ...(status && { status }),
      ...(bagNumber !== undefined && { bag_number: bagNumber, is_bag_typed: true }),
      ...(count && {
        counted: JSON.stringify(count.pieces),
        counted_total: count.total,
        counted_at: count.at,
        counted_by: count.user.id,
        counted_by_name: count.user.name,
        tolerance: count.tolerance,
        count_sight: count.sight,
        // The first count stays beside its corrections.
        ...(count.sight === 'blind' && { blind_total: count.total }),
      }),
      ...(dispute !== undefined && {
        disputed_at: dispute?.at ?? null,
        disputed_by: dispute?.user.id ?? null,
        disputed_by_name: dispute?.user.name ?? null,
        dispute_reason: dispute?.reason ?? null,
      }),
      ...(close !== undefined && {
        closed_at: close?.at ?? null,
        closed_by: close?.user.id ?? null,
        closed_by_name: close?.user.name ?? null,
        note: close ? close.note : sql`note`,
        frozen: close ? JSON.stringify(close.frozen) : null,
        audited_total: close?.frozen.audited.total ?? null,
        transmitted_total: close?.frozen.transmitted.total ?? null,
      }),
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}
