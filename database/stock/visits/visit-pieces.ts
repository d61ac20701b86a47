import { sql } from 'kysely'
import type { TenantDb } from '../../frame/tenant.ts'

interface HandledPieces {
  loaded: number
  waste: number
  /** Of what was thrown away, the pieces with known cost, and their cost; null without any. */
  costed_waste: number
  wasted: number | null
}

/** What the visit of a row did in pieces, as a lateral query of one row. */
export const handledPieces = (db: TenantDb, visit: string) => sql<HandledPieces>`(
  select coalesce(sum(l.loaded), 0)::int as loaded, coalesce(sum(l.waste), 0)::int as waste,
    coalesce(sum(l.waste) filter (where l.unit_cost is not null), 0)::int as costed_waste,
    (sum(l.waste * l.unit_cost) filter (where l.waste > 0))::bigint as wasted
  from visit_lines l
  where ${db.own('l')} and l.merchant_id = ${sql.ref(`${visit}.merchant_id`)} and l.visit_id = ${sql.ref(`${visit}.id`)})`
