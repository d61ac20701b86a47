import { type RawBuilder, sql } from 'kysely'
import type { PieceLossKind } from '#contract/vocabulary/stock.ts'
import { when } from '../frame/conditions.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Which losses are read. */
export interface LossFilters {
  startDate?: string | undefined
  endDate?: string | undefined
}

/** A row of the book that lost or found pieces, of a lot. */
export interface PieceLoss {
  merchant_id: string
  operation_id: string
  at: Date
  kind: PieceLossKind
  product_id: string
  /** Null: it was deleted without ever being sold. */
  product: string | null
  product_is_gone: boolean
  lot_id: string
  lot_code: string | null
  place_id: string
  /** Null: the place is deleted. */
  place: string | null
  driver_id: string | null
  driver: string | null
  /** More than nothing, whether they are missing or found. */
  pieces: number
  /** Of the lot, else of the product on its day; null: not known. */
  unit_cost: number | null
  note: string | null
  user_id: string | null
  by: string | null
  /** The merchant's day. */
  day: string
}

/**
 * What warehouses and vans lost, as a sub-select: pieces that counts lacked or found, and pieces thrown away there, expired or not. A visit that arrives
 * after a count takes its pieces out of the differences, as if they were found. What machines lost is not among them.
 */
export async function pieceLosses(
  db: TenantDb,
  { startDate, endDate }: LossFilters,
  seesInvisible: boolean,
): Promise<RawBuilder<PieceLoss>> {
  const hidden = await hiddenFrom(db, seesInvisible)
  const day = sql`(entry.at at time zone m.time_zone)::date`
  return sql<PieceLoss>`(
    select entry.merchant_id, entry.operation_id, entry.at, entry.product_id, entry.lot_id, lot.code as lot_code,
      coalesce(product.name, gone.name) as product, product.id is null as product_is_gone, abs(entry.pieces) as pieces,
      case when entry.account = 'waste' and lot.expires_on < ${day} then 'expired' when entry.account = 'waste' then 'waste'
        when entry.pieces > 0 then 'missing' else 'found' end as kind,
      operation.place_id, place.name as place, driver.name as driver,
      case when driver.name is not null then operation.driver_id end as driver_id, operation.note, operation.user_id,
      ${redactedName(sql`operation.user_id`, sql`operation.user_name`, hidden)} as by, ${day} as day,
      coalesce(lot.unit_cost, case when former.until is null then product.cost else former.cost end) as unit_cost
    from piece_entries entry
    join merchants m on m.id = entry.merchant_id and ${db.narrow('merchants', 'm')}
    join piece_operations operation on ${db.own('operation')} and operation.merchant_id = entry.merchant_id and operation.id = entry.operation_id
    cross join lateral (select ${redactedName(sql`operation.driver_id`, sql`operation.driver_name`, hidden)} as name) driver
    left join product_lots lot on ${db.own('lot')} and lot.merchant_id = entry.merchant_id and lot.id = entry.lot_id
    left join products product on ${db.own('product')} and product.merchant_id = entry.merchant_id and product.id = entry.product_id
    left join deleted_products gone on ${db.own('gone')} and gone.merchant_id = entry.merchant_id and gone.id = entry.product_id
    left join stock_places place on ${db.own('place')} and place.merchant_id = entry.merchant_id and place.id = operation.place_id
    left join lateral (select f.until, f.cost from former_product_terms f where ${db.own('f')} and f.merchant_id = entry.merchant_id
      and f.product_id = entry.product_id and f.until > ${day} order by f.until limit 1) former on true
    where ${db.narrow('piece_entries', 'entry')} and entry.owner_id = entry.merchant_id and entry.account in ('waste', 'difference')
      and (entry.account = 'difference' or operation.kind = 'waste')
      and ${when(startDate, (one) => sql<boolean>`entry.at >= start_of_day(${one}::date, m.time_zone)`)}
      and ${when(endDate, (one) => sql<boolean>`entry.at < start_of_day(${one}::date + 1, m.time_zone)`)})`
}
